/* What the two halves of the device share: device.cpp is linked into a program, libraries.cpp is what it loads. */
#pragma once
#include <stddef.h>

extern "C" {
/* Ends the program where bytes do not lie in one piece of the device's memory. */
void fake_require_device(const void *at, size_t bytes, const char *call);
/* Counts a call, and says whether it is the one that is to fail: $FAKE_CUDA_FAIL. */
bool fake_fails(const char *call);
/* Things of a kind that are there: what is left when the program ends is a leak. */
void fake_made(const char *kind, int change);
}

/* A header of the user's, which emitted C still finds beside the original. */
#define LIMIT 500

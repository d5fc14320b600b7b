/* Inputs of the two showpieces, drawn: what a language model costs does not depend on what its weights are.
   inputs gpt2 FOLDER    for train_gpt2.c of llm.c: 124 million parameters, tokens to train on, a tokenizer
   inputs llama FOLDER   for run.c of llama2.c: 110 million parameters, a tokenizer */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint32_t next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static FILE *created(const char *folder, const char *name) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) exit(2);
    FILE *file = fopen(path, "wb");
    if (!file) perror(path), exit(1);
    return file;
}

static void written(FILE *file, const void *from, size_t bytes) {
    if (fwrite(from, 1, bytes, file) != bytes) perror("a file of inputs"), exit(1);
}

/* Weights about `middle`: sums of four even numbers, spread by 0.02. */
static void weights(FILE *file, size_t count, float middle) {
    float piece[4096];
    while (count > 0) {
        size_t n = count < 4096 ? count : 4096;
        for (size_t i = 0; i < n; i++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += next() / 4294967296.0f - 0.5f;
            piece[i] = middle + 0.035f * sum;
        }
        written(file, piece, n * sizeof *piece);
        count -= n;
    }
}

static void gpt2(const char *folder) {
    const int max_t = 1024, vocabulary = 50257, padded = 50304, layers = 12, heads = 12, c = 768;
    int32_t header[256] = {20240326, 3, max_t, vocabulary, layers, heads, c, padded};
    FILE *file = created(folder, "gpt2_124M.bin");
    written(file, header, sizeof header);
    weights(file, (size_t)padded * c, 0), weights(file, (size_t)max_t * c, 0);
    const struct { size_t count; float middle; } of_layer[] = {
        {c, 1}, {c, 0}, {(size_t)3 * c * c, 0}, {3 * c, 0}, {(size_t)c * c, 0}, {c, 0},
        {c, 1}, {c, 0}, {(size_t)4 * c * c, 0}, {4 * c, 0}, {(size_t)4 * c * c, 0}, {c, 0}};
    for (size_t k = 0; k < sizeof of_layer / sizeof *of_layer; k++) weights(file, layers * of_layer[k].count, of_layer[k].middle);
    weights(file, c, 1), weights(file, c, 0);
    fclose(file);

    const char *parts[] = {"dev/data/tinyshakespeare/tiny_shakespeare_train.bin", "dev/data/tinyshakespeare/tiny_shakespeare_val.bin"};
    for (int k = 0; k < 2; k++) {
        int32_t tokens[256] = {20240520, 1, 32768};
        file = created(folder, parts[k]);
        written(file, tokens, sizeof tokens);
        for (int i = 0; i < tokens[2]; i++) {
            uint16_t token = (uint16_t)(next() % 97 * (next() % 11)); /* so that there is something to learn */
            written(file, &token, sizeof token);
        }
        fclose(file);
    }

    uint32_t words[256] = {20240328, 2, (uint32_t)vocabulary, 50256};
    file = created(folder, "gpt2_tokenizer.bin");
    written(file, words, sizeof words);
    for (int i = 0; i < vocabulary; i++) {
        unsigned char word[6] = {5, (unsigned char)('a' + i % 26), (unsigned char)('a' + i / 26 % 26), (unsigned char)('a' + i / 676 % 26),
                                 (unsigned char)('a' + i / 17576), ' '};
        written(file, word, sizeof word);
    }
    fclose(file);
}

static void llama(const char *folder) {
    const int dim = 768, hidden = 2048, layers = 12, heads = 12, vocabulary = 32000, length = 1024;
    int32_t header[7] = {dim, hidden, layers, heads, heads, vocabulary, length};
    FILE *file = created(folder, "model.bin");
    written(file, header, sizeof header);
    weights(file, (size_t)vocabulary * dim, 0), weights(file, (size_t)layers * dim, 1);
    for (int k = 0; k < 4; k++) weights(file, (size_t)layers * dim * dim, 0);
    weights(file, (size_t)layers * dim, 1);
    for (int k = 0; k < 3; k++) weights(file, (size_t)layers * dim * hidden, 0);
    weights(file, dim, 1), weights(file, (size_t)length * (dim / heads), 0);
    fclose(file);

    int32_t longest = 5;
    file = created(folder, "tokenizer.bin");
    written(file, &longest, sizeof longest);
    for (int i = 0; i < vocabulary; i++) {
        float score = -(float)i;
        char word[6];
        /* Three words with a meaning, then a word for each byte, then words. */
        if (i < 3) strcpy(word, (const char *[]){"?", "<s>", "</s>"}[i]);
        else if (i < 259) word[0] = (char)((i - 3) % 255 + 1), word[1] = 0;
        else word[0] = (char)('a' + i % 26), word[1] = (char)('a' + i / 26 % 26), word[2] = (char)('a' + i / 676 % 26), word[3] = (char)('a' + i / 17576), word[4] = 0;
        int32_t bytes = (int32_t)strlen(word);
        written(file, &score, sizeof score), written(file, &bytes, sizeof bytes), written(file, word, (size_t)bytes);
    }
    fclose(file);
}

int main(int n, char **words) {
    if (n == 3 && !strcmp(words[1], "gpt2")) return gpt2(words[2]), 0;
    if (n == 3 && !strcmp(words[1], "llama")) return llama(words[2]), 0;
    fputs("inputs gpt2|llama FOLDER\n", stderr);
    return 2;
}

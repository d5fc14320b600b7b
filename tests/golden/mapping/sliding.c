/* Loops over neighbours have windows of what they read. With sizes that are known, and large, nothing else is made of them:
   a window is as large as a block's points and its taps reach, rows of it are read as vectors. */
void blurred(float in[1056][1056], float weight[24][24], float out[1024][1024]) {
    for (int i = 0; i < 1024; i++)
        for (int j = 0; j < 1024; j++) {
            float sum = 0;
            for (int p = 0; p < 24; p++)
                for (int q = 0; q < 24; q++) sum += in[i + p][j + q] * weight[p][q];
            out[i][j] = sum;
        }
}

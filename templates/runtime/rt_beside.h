// Blocks beside each other, where the blocks of a grid stand in a line, in rows of `across`, or in planes of `rows` such rows:
// whom a block waits for that touches what its neighbours own. Ends are beside each other, too: blocks stride over more than
// there are of them. What is left over behind the last whole row, or plane, owns nothing, and has nobody beside it.
#pragma once

#include "rt_math.h"

RT_BOTH int rt_around(const int at, const int by, const int extent)
{
    return (at + by + extent) % extent;
}

struct rt_line {
    static constexpr int beside = 2;
    int blocks;

    RT_BOTH bool holds(const int) const { return true; }
    RT_BOTH int neighbour(const int block, const int k) const { return rt_around(block, 2 * k - 1, blocks); }
};

struct rt_rows {
    static constexpr int beside = 9; // with the block itself
    int blocks, across;

    RT_BOTH bool holds(const int block) const { return block / across < blocks / across; }
    RT_BOTH int neighbour(const int block, const int k) const
    {
        const int row = rt_around(block / across, k / 3 - 1, blocks / across);
        return row * across + rt_around(block % across, k % 3 - 1, across);
    }
};

struct rt_planes {
    static constexpr int beside = 27;
    int blocks, rows, across;

    RT_BOTH bool holds(const int block) const { return block / (rows * across) < blocks / (rows * across); }
    RT_BOTH int neighbour(const int block, const int k) const
    {
        const int plane = rt_around(block / (rows * across), k / 9 - 1, blocks / (rows * across));
        const int row = rt_around(block / across % rows, k / 3 % 3 - 1, rows);
        return (plane * rows + row) * across + rt_around(block % across, k % 3 - 1, across);
    }
};

RT_BOTH rt_line rt_standing(const int blocks)
{
    return {blocks};
}
RT_BOTH rt_rows rt_standing(const int blocks, const int across)
{
    return {blocks, across};
}
RT_BOTH rt_planes rt_standing(const int blocks, const int rows, const int across)
{
    return {blocks, rows, across};
}

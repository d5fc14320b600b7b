// Static arrays of the program and of its libraries: the symbol tables of their files say how long they are. A file from which
// these were stripped says nothing.
#pragma once

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rt_blocks.h"

namespace rt {

// A file that is part of the running program: where it was loaded, and the part of it around an address.
struct loaded {
    const char *at; // looked for
    block part;
    const char *base;
    text path;

    static loaded with(const char *const at)
    {
        const auto look = [](dl_phdr_info *const object, size_t, void *const data) {
            loaded &l = *(loaded *)data;
            for (int k = 0; k < object->dlpi_phnum; k++) {
                const auto &part = object->dlpi_phdr[k];
                const char *const first = (const char *)object->dlpi_addr + part.p_vaddr, *const last = first + part.p_memsz;
                const bool is_it = part.p_type == PT_LOAD && (part.p_flags & PF_R) && l.at >= first && l.at < last;
                if (!is_it) continue;
                l.part = {first, last};
                l.base = (const char *)object->dlpi_addr;
                l.path = object->dlpi_name && *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
            }
            return l.part.is_some() ? 1 : 0;
        };
        loaded l{at, {nullptr, nullptr}, nullptr, {}};
        dl_iterate_phdr(look, &l);
        return l;
    }
};

// The arrays of a file. Shorter ones are not kept.
class static_arrays {
public:
    static constexpr size_t least_bytes = 64;

    // The array around an address of the program, or none. The part of the program itself that was asked for last is
    // remembered: a library may be unloaded, the program is not.
    static block around(const char *const at)
    {
        static list<static_arrays *> known;
        static block part{nullptr, nullptr};
        static const static_arrays *in_part = nullptr;
        if (part.holds(at, at + 1)) return in_part->with(at);
        const loaded file = loaded::with(at);
        if (!file.part.is_some()) return {nullptr, nullptr};
        static_arrays *here = nullptr;
        for (static_arrays *const one : known)
            if (one->base == file.base && one->path == file.path) here = one;
        if (!here) known.push_back(here = new static_arrays(file));
        if (file.path == "/proc/self/exe") part = file.part, in_part = here;
        return here->with(at);
    }

private:
    const char *base;
    text path;
    list<block> all; // by where they begin

    block with(const char *const at) const
    {
        size_t behind = first_behind(all.size(), [&](const size_t k) { return all[k].first <= at; });
        constexpr size_t most_alike = 8; // names of one array, or of its parts
        for (size_t k = 0; k < most_alike && behind > 0; k++)
            if (const block &b = all[--behind]; b.holds(at, at + 1)) return b;
        return {nullptr, nullptr};
    }
    explicit static_arrays(const loaded &of) : base(of.base), path(of.path)
    {
        const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat facts;
        if (file < 0) return;
        const size_t bytes = fstat(file, &facts) == 0 && facts.st_size > 0 ? (size_t)facts.st_size : 0;
        void *const content = bytes ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
        close(file);
        if (content == MAP_FAILED) return;
        read((const char *)content, bytes);
        munmap(content, bytes);
        sort(all.begin(), all.size(), [](const block &a, const block &b) { return a.first < b.first; });
    }
    // Where n items of a file lie; null where they leave it.
    template <class T> static const T *items(const char *const content, const size_t bytes, const size_t from, const size_t n)
    {
        const bool are_there = from <= bytes && n <= (bytes - from) / sizeof(T) && from % alignof(T) == 0;
        return are_there ? (const T *)(content + from) : nullptr;
    }
    void read(const char *const content, const size_t bytes)
    {
        const auto *const head = items<ElfW(Ehdr)>(content, bytes, 0, 1);
        if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof(ElfW(Shdr))) return;
        const auto *const sections = items<ElfW(Shdr)>(content, bytes, head->e_shoff, head->e_shnum);
        for (size_t k = 0; sections && k < head->e_shnum; k++) {
            if (sections[k].sh_type != SHT_SYMTAB) continue;
            const size_t n = sections[k].sh_size / sizeof(ElfW(Sym));
            const auto *const symbols = items<ElfW(Sym)>(content, bytes, sections[k].sh_offset, n);
            for (size_t s = 0; symbols && s < n; s++) {
                const bool is_array = (symbols[s].st_info & 15) == STT_OBJECT && symbols[s].st_shndx != SHN_UNDEF;
                const char *const first = base + symbols[s].st_value;
                if (is_array && symbols[s].st_size >= least_bytes) all.push_back({first, first + symbols[s].st_size});
            }
        }
    }
};

} // namespace rt

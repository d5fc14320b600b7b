// Simulated launches written down for `rtcuda ptx`, where -DRT_SIM_LAUNCHES asks for it and RTCUDA_LAUNCHES names a folder:
// of each kernel the first launch that writes to an array.
//
//     KERNEL.launch      words of the command line, one a line: --kernel, --grid, --block, --shared, an --arg for each parameter
//     KERNEL.K.before    bytes of array K (arrays are counted in the order of the parameters), and as the launch leaves them
//     KERNEL.K.after
//     KERNEL.touched     what each thread touches: block, thread, array, 0 load, 1 store, 2 atomic update (32 bits each),
//                        first byte and the one behind the last (64 bits each); sorted, without gaps or repetition
//
// KERNEL is the kernel's name with its template's arguments as compilers spell them in symbols: nvcc spells them likewise.
#pragma once

#include <algorithm>
#include <dlfcn.h>
#include <elf.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "rt_sim_shadow.h"

namespace rt {
template <class T> class array;
struct grid_barrier;
} // namespace rt

namespace rt_sim {

struct touched_bytes {
    unsigned block, thread, array;
    does what;
    long first, last;

    auto key() const { return std::tuple(block, thread, array, what); }
    bool operator<(const touched_bytes &other) const
    {
        return std::tuple(key(), first) < std::tuple(other.key(), other.first);
    }
};

inline std::string file_bytes(const char *const path)
{
    std::string bytes;
    FILE *const file = fopen(path, "rb");
    char part[1 << 16];
    for (size_t n; file && (n = fread(part, 1, sizeof part, file)) > 0;) bytes.append(part, n);
    if (file) fclose(file);
    return bytes;
}

// The symbol of a function of the program, also of one that no other file sees.
inline std::string symbol_of(const void *const function)
{
    static const std::string program = file_bytes("/proc/self/exe");
    const auto &head = *(const Elf64_Ehdr *)program.data();
    const auto *const sections = (const Elf64_Shdr *)(program.data() + head.e_shoff);
    Dl_info base{};
    dladdr(function, &base);
    const size_t address = (size_t)function - (head.e_type == ET_DYN ? (size_t)base.dli_fbase : 0);
    for (int s = 0; s < head.e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB) continue;
        const auto *const symbols = (const Elf64_Sym *)(program.data() + sections[s].sh_offset);
        const char *const names = program.data() + sections[sections[s].sh_link].sh_offset;
        for (size_t k = 0; k < sections[s].sh_size / sizeof *symbols; k++)
            if (symbols[k].st_value == address && ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC)
                return names + symbols[k].st_name;
    }
    return "";
}

// Of a symbol the part that does not depend on the types of parameters, which here are others than nvcc's.
inline std::string kernel_part(const std::string &symbol, const char *const kernel)
{
    const size_t at = symbol.find(kernel);
    if (at == std::string::npos) return std::to_string(strlen(kernel)) + kernel;
    // Another form of a kernel has its name and more.
    size_t begin = at;
    while (begin > 0 && isdigit(symbol[begin - 1])) begin--;
    const size_t end = at + strtoul(&symbol[begin], nullptr, 10);
    if (end >= symbol.size() || symbol[end] != 'I') return symbol.substr(begin, end - begin);
    return symbol.substr(begin, symbol.find("Ev", end) + 1 - begin);
}

template <class T> std::string element_word()
{
    return (std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

// A launch that is written down, if it is one.
class launch_record {
public:
    template <class... P, class... A>
    launch_record(const char *const kernel, void (*const function)(P...), const rt_size3 grid, const rt_size3 block, A &...arguments)
    {
        const char *const folder = rt::env("RTCUDA_LAUNCHES");
        if (!folder || is_known((const void *)function)) return;
        const std::string part = kernel_part(symbol_of((const void *)function), kernel);
        path = std::string(folder) + "/" + part;
        words = "--kernel\n" + part + "\n--grid\n" + extents(grid) + "\n--block\n" + extents(block) + "\n--shared\n" +
                std::to_string(now.launch_shared) + "\n";
        (add<P>(arguments), ...);
        running = this;
        of = (const void *)function;
    }
    launch_record(const launch_record &) = delete;
    ~launch_record()
    {
        if (running != this) return;
        running = nullptr;
        const bool writes = std::any_of(all.begin(), all.end(), [](const touched_bytes &t) { return t.what != does::loads; });
        if (!writes) return;
        known.push_back(of);
        join();
        write(".launch", words.data(), words.size());
        write(".touched", all.data(), all.size() * sizeof all[0]);
        for (size_t k = 0; k < arrays.size(); k++) {
            write("." + std::to_string(k) + ".before", arrays[k].before.data(), arrays[k].before.size());
            write("." + std::to_string(k) + ".after", arrays[k].data, arrays[k].before.size());
        }
    }

    static void note(const shared_array &array, const long at_byte, const long bytes, const does what)
    {
        if (!running || array.is_tile) return;
        running->add_touched(array, at_byte, bytes, what);
    }

private:
    struct known_array {
        const shared_array *array;
        const char *data;
        std::string before;
    };
    inline static launch_record *running = nullptr;
    inline static std::vector<const void *> known;
    static constexpr size_t many = 1 << 22;

    std::string path, words;
    std::vector<known_array> arrays;
    std::vector<touched_bytes> all;
    size_t joined = 0, last_array = 0;
    const void *of = nullptr;
    int parameters = 0;

    static bool is_known(const void *const function)
    {
        return std::find(known.begin(), known.end(), function) != known.end();
    }
    static std::string extents(const rt_size3 &n)
    {
        return std::to_string(n.x) + "," + std::to_string(n.y) + "," + std::to_string(n.z);
    }
    void write(const std::string &extension, const void *const bytes, const size_t n) const
    {
        FILE *const file = fopen((path + extension).c_str(), "wb");
        const bool is_written = file && fwrite(bytes, 1, n, file) == n;
        if (!file || fclose(file) != 0 || !is_written) fprintf(stderr, "rtcuda: %s%s cannot be written\n", path.c_str(), extension.c_str());
    }

    void add_word(const std::string &name, const std::string &value) { words += "--arg\n" + name + "=" + value + "\n"; }
    template <class P, class T> void add(rt::array<T> &a)
    {
        const long n = a.device.array.extent;
        const char *const data = a.device.template as_parameter<const char *>();
        const std::string file = path + "." + std::to_string(arrays.size()) + ".before";
        const std::string array = element_word<T>() + "[" + std::to_string(n) + "]:file(" + file + ")";
        const std::string name = std::to_string(parameters++) + "." + a.device.array_name();
        arrays.push_back({&a.device.array, data, std::string(data, n * sizeof(T))});
        if constexpr (requires { P::is_held; })
            add_word(name, "{" + array + ",s64:" + std::to_string(a.size()) + "}");
        else
            add_word(name, array);
    }
    template <class P, class V> void add(const V &value)
    {
        const std::string name = std::to_string(parameters++);
        if constexpr (std::is_base_of_v<rt::grid_barrier, V>)
            add_word(name + ".barrier", barrier_word<P>());
        else if constexpr (std::is_floating_point_v<P>)
            add_word(name, rt::format("%.17g", (double)(P)value).c_str());
        else
            add_word(name, std::to_string((long)(P)value));
    }
    // A barrier as it is on a GPU, its flags as they are before all launches.
    template <class P> static std::string barrier_word()
    {
        if constexpr (requires { &P::goes_on; })
            return "{u32[1]:zero,u32[1]:zero,u32:0,u32:0}";
        else
            return "{u8:0}";
    }

    void add_touched(const shared_array &array, const long at_byte, const long bytes, const does what)
    {
        if (last_array >= arrays.size() || arrays[last_array].array != &array) {
            for (last_array = 0; last_array < arrays.size() && arrays[last_array].array != &array;) last_array++;
            if (last_array == arrays.size()) return;
        }
        const unsigned block = (now.block.z * now.grid_dim.y + now.block.y) * now.grid_dim.x + now.block.x;
        all.push_back({block, now.thread, (unsigned)last_array, what, at_byte, at_byte + bytes});
        if (all.size() > many + 2 * joined) join();
    }
    void join()
    {
        std::sort(all.begin(), all.end());
        size_t n = 0;
        for (const touched_bytes &next : all) {
            if (n > 0 && all[n - 1].key() == next.key() && next.first <= all[n - 1].last)
                all[n - 1].last = std::max(all[n - 1].last, next.last);
            else
                all[n++] = next;
        }
        all.resize(n);
        joined = n;
    }
};

} // namespace rt_sim

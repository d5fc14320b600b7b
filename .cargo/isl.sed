# Two faults of isl 0.27, mended while its configure script runs (config.site).

# It matches the integer divisions of a context one by one with those of a relation (align_context_divs in isl_tab_pip.c), and
# takes it that no two of a context are equal. Where two are, it counts one of the relation's twice, and writes in front of
# an array. Simplified before, a context has each once.
s/^\tdom = copy_divs(dom, bmap);$/\tdom = copy_divs(isl_basic_set_simplify(dom), bmap);/

# Where a subscript of the result is a quotient of inputs, it is made an input, which leaves the inputs that the quotient is
# whole for (basic_map_partial_lexopt_plugin in isl_tab_lexopt_templ.c). The others have no result, and were forgotten:
# of { [i] -> [j, k] : 5i = 2 + 4j + 8k and 0 <= j <= 1 } for 0 <= i <= 2, that there is none for 0 and 1.
s/^\tdom = isl_basic_set_apply(dom, insert);$/\tisl_set *others = !empty ? NULL : isl_set_subtract(\n\t\tisl_set_from_basic_set(isl_basic_set_copy(dom)),\n\t\tisl_set_from_basic_set(isl_basic_map_domain(isl_basic_map_copy(insert))));\n&/
s/^\tres = FN(TYPE,pullback_multi_aff)(res, ma);$/\tif (empty)\n\t\t*empty = isl_set_union(*empty, others);\n&/

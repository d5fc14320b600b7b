# Faults of isl 0.27, mended while its configure script runs (config.site).

# It matches the integer divisions of a context one by one with those of a relation (align_context_divs in isl_tab_pip.c), and
# takes it that no two of a context are equal. Where two are, it counts one of the relation's twice, and writes in front of
# an array. Simplified before, a context has each once.
s/^\tdom = copy_divs(dom, bmap);$/\tdom = copy_divs(isl_basic_set_simplify(dom), bmap);/

# Where a subscript of the result is a quotient of inputs, it is made an input, which leaves the inputs that the quotient is
# whole for (basic_map_partial_lexopt_plugin in isl_tab_lexopt_templ.c). The others have no result, and were forgotten:
# of { [i] -> [j, k] : 5i = 2 + 4j + 8k and 0 <= j <= 1 } for 0 <= i <= 2, that there is none for 0 and 1.
s/^\tdom = isl_basic_set_apply(dom, insert);$/\tisl_set *others = !empty ? NULL : isl_set_subtract(\n\t\tisl_set_from_basic_set(isl_basic_set_copy(dom)),\n\t\tisl_set_from_basic_set(isl_basic_map_domain(isl_basic_map_copy(insert))));\n&/
s/^\tres = FN(TYPE,pullback_multi_aff)(res, ma);$/\tif (empty)\n\t\t*empty = isl_set_union(*empty, others);\n&/

# Where no band is left, a row of the schedule carries what it can: first of the dependences of a statement on itself, then
# of all. With numbers for sizes such a row may be j - 1998i for a triangle of 2,000 rows, millions of steps of which each
# looks whether it is one; isl sees that (find_node_coalescing in isl_scheduler.c) and looks for another row, but takes this
# one where there is none, also of the first kind. Then there may be one of the second, -i.
s/^\t\tif (!sol || sol->size != 0 || n_inter == 0) {$/\t\tint coalesces = 0;\n\t\tif (sol \&\& sol->size != 0 \&\& isl_options_get_schedule_treat_coalescing(ctx))\n\t\t\tfor (int i = 0; i < graph->n; ++i)\n\t\t\t\tif (find_node_coalescing(\&graph->node[i], sol) != graph->node[i].nvar)\n\t\t\t\t\tcoalesces = 1;\n\t\tif (!sol || (sol->size != 0 \&\& !coalesces) || n_inter == 0) {/

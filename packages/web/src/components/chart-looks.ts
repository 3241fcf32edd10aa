/** How the series of a chart are told apart: apart from the chart itself, so that a legend need not load it. */
export const SERIES_COLORS = 6
export const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 5], [4, 2, 1, 2]]

import type { AggregationParser } from './aggregation-parser.ts'
import { rangeParser } from './range-parser.ts'

/** `date_range`. */
export const dateRange: AggregationParser = rangeParser('date_range')

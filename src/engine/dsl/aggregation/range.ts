import type { AggregationParser } from './aggregation-parser.ts'
import { rangeParser } from './range-parser.ts'

/** `range`. */
export const range: AggregationParser = rangeParser('range')

import { ProcessorTable } from './processor-table.ts'
import { FILTER_QUERY } from './request/filter-query.ts'
import { OVERSAMPLE } from './request/oversample.ts'
import { SCRIPT } from './request/script.ts'
import type { RequestStep } from './search-processor.ts'

/** All types of request processors. */
export const REQUEST_PROCESSORS: ProcessorTable<RequestStep> = new ProcessorTable([
  FILTER_QUERY,
  OVERSAMPLE,
  SCRIPT,
])

import { ProcessorTable } from './processor-table.ts'
import { ACL_ROUTING_SEARCH } from './request/acl-routing-search.ts'
import { FILTER_QUERY } from './request/filter-query.ts'
import { HIERARCHICAL_ROUTING_SEARCH } from './request/hierarchical-routing-search.ts'
import { OVERSAMPLE } from './request/oversample.ts'
import { SCRIPT } from './request/script.ts'
import { TEMPORAL_ROUTING_SEARCH } from './request/temporal-routing-search.ts'
import type { RequestStep } from './search-processor.ts'

/** All types of request processors. */
export const REQUEST_PROCESSORS: ProcessorTable<RequestStep> = new ProcessorTable([
  ACL_ROUTING_SEARCH,
  FILTER_QUERY,
  HIERARCHICAL_ROUTING_SEARCH,
  OVERSAMPLE,
  SCRIPT,
  TEMPORAL_ROUTING_SEARCH,
])

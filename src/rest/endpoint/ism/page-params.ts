/** The page of a list that a request asks for. */
import type { IsmPage } from '../../../service/ism/ism-store.ts'
import { integer, type ParamReader, type ParamValues, text } from '../../params.ts'
import { sortOrder } from '../../sort-order.ts'

/** Parameters of lists. */
export const PAGE_PARAMS: {
  readonly from: ParamReader<number>
  readonly size: ParamReader<number>
  readonly sortField: ParamReader<string>
  readonly sortOrder: ParamReader<'asc' | 'desc'>
  readonly queryString: ParamReader<string>
} = { from: integer, size: integer, sortField: text, sortOrder, queryString: text }

/** The page; its order is that of a field unless another one is named. */
export function pageOf(params: ParamValues<typeof PAGE_PARAMS>, sortField: string): IsmPage {
  return {
    from: params.from ?? 0,
    size: params.size ?? 20,
    sortField: params.sortField ?? sortField,
    sortOrder: params.sortOrder ?? 'asc',
    query: params.queryString ?? '*',
  }
}

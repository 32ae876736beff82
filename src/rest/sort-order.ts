import { IllegalArgumentError } from '../util/errors.ts'
import { takes } from './param-form.ts'
import type { ParamReader } from './params.ts'

/** The order of a list. */
export const sortOrder: ParamReader<'asc' | 'desc'> = takes('asc | desc', value => {
  const name = value.toLowerCase()
  if (name === 'asc' || name === 'desc') return name
  throw new IllegalArgumentError(
    `No enum constant org.opensearch.search.sort.SortOrder.${value.toUpperCase()}`,
  )
})

import { IllegalArgumentError } from '../../../../util/errors.ts'
import { readBoolean, readNumber } from '../../json-scalars.ts'
import { parsingError } from '../../parse-error.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

const DEFAULT_PERCENTS: readonly number[] = [1, 5, 25, 50, 75, 95, 99]

/** percentiles_bucket. */
export const percentilesBucket: PipelineParser = body => {
  let percents = DEFAULT_PERCENTS
  let keyed = true
  const keys = readPipeline(body, 'percentiles_bucket', {
    percents: value => {
      if (value.kind !== 'array') throw parsingError(value, '[percents] must be a list of numbers')
      percents = value.items.map(readNumber)
      for (const percent of percents)
        if (percent < 0 || percent > 100)
          throw new IllegalArgumentError(
            '[percents] must only contain non-null doubles from 0.0-100.0 inclusive',
          )
    },
    keyed: value => {
      keyed = readBoolean(value)
    },
  })
  return { kind: 'percentilesBucket', name: body.name, percents, keyed, ...keys }
}

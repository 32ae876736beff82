import { readInteger } from '../../json-scalars.ts'
import { parsingError } from '../../parse-error.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

/** serial_diff. */
export const serialDifference: PipelineParser = body => {
  let lag = 1
  const keys = readPipeline(body, 'serial_diff', {
    lag: value => {
      lag = readInteger(value)
      if (lag <= 0)
        throw parsingError(
          value,
          `Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${body.name}].`,
        )
    },
  })
  return { kind: 'serialDifference', name: body.name, lag, ...keys }
}

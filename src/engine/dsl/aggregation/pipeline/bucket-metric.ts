import type { MomentMetric } from '../../../../aggregation/metric/moments.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { readNumber } from '../../json-scalars.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

const DEFAULT_SIGMA = 2

/** avg_bucket and its kin. */
export function bucketMetric(metric: MomentMetric): PipelineParser {
  return body => {
    let sigma = DEFAULT_SIGMA
    const own = {
      sigma: (value: Parameters<typeof readNumber>[0]): void => {
        sigma = readNumber(value)
        if (sigma < 0) throw new IllegalArgumentError('sigma must be a non-negative double')
      },
    }
    const keys = readPipeline(body, `${metric}_bucket`, metric === 'extended_stats' ? own : {})
    return { kind: 'bucketMetric', name: body.name, metric, sigma, ...keys }
  }
}

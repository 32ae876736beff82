import type { MovingFunction } from '../../../../aggregation/pipeline/moving-function.ts'
import { readMovingCall } from '../../../../aggregation/pipeline/moving-functions.ts'
import type { ScriptRequest } from '../../../../script/script-request.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { readInteger } from '../../json-scalars.ts'
import { parseScript } from '../../parse-script.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

/** moving_fn. */
export const movingFunction: PipelineParser = body => {
  let window = 0
  let shift = 0
  let compute: MovingFunction['compute'] | null = null
  const keys = readPipeline(body, 'moving_fn', {
    window: value => {
      window = readInteger(value)
      if (window <= 0)
        throw new IllegalArgumentError('[window] must be a positive, non-zero integer.')
    },
    shift: value => {
      shift = readInteger(value)
    },
    script: value => {
      compute = computeOf(parseScript(value))
    },
  })
  if (window === 0) throw new IllegalArgumentError('Required [window]')
  if (compute === null) throw new IllegalArgumentError('Required [script]')
  return { kind: 'movingFunction', name: body.name, window, shift, compute, ...keys }
}

/** A call of one function needs no script engine. */
function computeOf(script: ScriptRequest): MovingFunction['compute'] {
  const call =
    script.lang === 'painless' && script.params === null ? readMovingCall(script.source) : null
  return call === null ? { script } : { call }
}

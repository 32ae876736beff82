import {
  type MovingCall,
  readMovingCall,
} from '../../../../aggregation/pipeline/moving-functions.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { JsonNode } from '../../../../util/json/json-tree.ts'
import { jsonEntry } from '../../../../util/json/json-tree.ts'
import { readInteger, readText } from '../../json-scalars.ts'
import { notSupportedYet } from '../../parse-error.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

/** moving_fn, whose scripts call one of the functions of moving windows. */
export const movingFunction: PipelineParser = body => {
  let window = 0
  let shift = 0
  let call: MovingCall | null = null
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
      call = readMovingCall(sourceOf(value))
      if (call === null) throw notSupportedYet('script')
    },
  })
  if (window === 0) throw new IllegalArgumentError('Required [window]')
  if (call === null) throw new IllegalArgumentError('Required [script]')
  return { kind: 'movingFunction', name: body.name, window, shift, call, ...keys }
}

function sourceOf(node: JsonNode): string {
  if (node.kind !== 'object') return readText(node)
  const source = jsonEntry(node, 'source')
  if (source === null) throw notSupportedYet('script')
  return readText(source.value)
}

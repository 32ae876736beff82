import { throwIfAborted } from '../../../../parallel/search-options.ts'
import { assert } from '../../../../util/assert.ts'
import { decodeUtf8 } from '../../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { JsonMap, JsonValue } from '../../../../util/json/json-value.ts'
import { writeJson } from '../../../../util/json/json-writer.ts'
import { inTurns } from '../../../../util/turns.ts'
import type { PrintedHit } from '../../../response/printed-hit.ts'
import { chooseDiverse } from '../../mmr/choose-diverse.ts'
import { idOf, scoreOf } from '../response-hits.ts'
import type { SystemResponseFactory } from '../system-processor.ts'

/** `mmr_rerank`: of the candidates those that differ from each other. */
export const MMR_RERANK: SystemResponseFactory = {
  name: 'mmr_rerank_factory',
  type: 'mmr_rerank',
  isFor: ({ parts: { ext } }) => ext.mmr !== null,
  async run(hits, { mmr, node, context }) {
    assert(mmr !== null, 'the processor of the request has run')
    const { field, size, diversity, keepsVectors } = mmr
    const candidates = hits.map(hit => ({
      score: scoreOf(hit),
      vector: vectorOf(hit, field.path),
    }))
    const choice = { ...field, diversity, wanted: size }
    const chosen = await inTurns(
      turn => chooseDiverse(candidates, choice, turn),
      () => {
        throwIfAborted(context)
        node.ensureOpen()
      },
      context,
    )
    return chosen.map(place =>
      keepsVectors ? hits[place]! : withoutVector(hits[place]!, field.path),
    )
  },
}

/** @throws {IllegalArgumentError} the hit has none */
function vectorOf(hit: PrintedHit, path: string): readonly number[] {
  const values = valuesOf(hit, path)
  // Of values by document there is a list.
  const numbers = Array.isArray(values[0]) ? values[0] : values
  if (numbers.length > 0) return JSON.parse(decodeUtf8(writeJson(numbers))) as readonly number[]
  throw new IllegalArgumentError(
    `Failed to extract the vector from the doc [${idOf(hit)}] for MMR rerank: field path ` +
      `[${path}] not found in document source.`,
  )
}

/** The hit without the vector that the processor of the request asked for. */
function withoutVector(hit: PrintedHit, path: string): PrintedHit {
  const fields = new Map(hit.fields as JsonMap)
  fields.delete(path)
  return { ...hit, fields: fields.size > 0 ? fields : undefined }
}

function valuesOf({ fields }: PrintedHit, path: string): readonly JsonValue[] {
  return fields instanceof Map ? ((fields.get(path) ?? []) as readonly JsonValue[]) : []
}

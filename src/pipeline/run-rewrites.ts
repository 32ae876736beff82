/** Runs the script of a reindex or an update by query over documents (contract-services §7.3). */

import { newScriptRun } from '../script/script-run.ts'
import type { ScriptMap, ScriptValue } from '../script/value/script-value.ts'
import { EngineError, IllegalArgumentError, toErrorRecord } from '../util/errors.ts'
import type { RewriteRequest, RewrittenDocument, RewrittenDocuments } from './pipeline-messages.ts'
import { readSource } from './read-source.ts'
import { checkSelfReferences } from './self-reference.ts'
import { noSource, paramsOf, updateScriptOf } from './update-scripts.ts'
import { sourceBytes, sourceText } from './write-source.ts'

type Document = RewriteRequest['documents'][number]

const OPS = ['noop', 'index', 'delete'] as const

/** The documents that the script makes of those that are there; the first fault ends the run. */
export function runRewrites(request: RewriteRequest): RewrittenDocuments {
  try {
    const { script, documents, mayMove, now } = request
    const compiled = updateScriptOf(script)
    const params = paramsOf(script)
    return {
      kind: 'done',
      documents: documents.map(document => {
        const ctx = contextOf(document, now)
        compiled.execute([params, ctx], newScriptRun())
        checkSelfReferences(ctx)
        return outcomeOf(ctx, document, mayMove)
      }),
    }
  } catch (error) {
    if (error instanceof EngineError) return { kind: 'failed', error: toErrorRecord(error) }
    throw error
  }
}

function contextOf(document: Document, now: number): ScriptMap {
  const { index, id, version, routing, source } = document
  return new Map<ScriptValue, ScriptValue>([
    ['_index', index],
    ['_id', id],
    ['_version', version],
    ['_routing', routing],
    ['_source', readSource(source)],
    ['op', 'index'],
    ['_now', BigInt(now)],
  ])
}

function outcomeOf(ctx: ScriptMap, document: Document, mayMove: boolean): RewrittenDocument {
  const take = (key: string): ScriptValue => {
    const value = ctx.get(key) ?? null
    ctx.delete(key)
    return value
  }
  take('_now')
  const op = take('op')
  if (op === null) throw new IllegalArgumentError('Script cleared operation type')
  const source = take('_source')
  const moved = movesOf(take, document)
  const [first] = Object.keys(moved)
  if (!mayMove && first !== undefined)
    throw new IllegalArgumentError(`Modifying [_${first}] not allowed`)
  const chosen = opOf(op)
  if (chosen !== 'index') return { op: chosen, source: document.source, ...moved }
  if (ctx.size > 0) {
    const keys = Array.from(ctx.keys(), textOf).join(',')
    throw new IllegalArgumentError(`Invalid fields added to context [${keys}]`)
  }
  if (!(source instanceof Map)) throw new EngineError(noSource(source))
  return { op: chosen, source: sourceBytes(source), ...moved }
}

/** The keys of its metadata that the script changed. */
function movesOf(
  take: (key: string) => ScriptValue,
  document: Document,
): Omit<RewrittenDocument, 'op' | 'source'> {
  const index = take('_index')
  const id = take('_id')
  const version = take('_version')
  const routing = take('_routing')
  return {
    ...(index === document.index ? {} : { index: indexOf(index) }),
    ...(id === document.id ? {} : { id: textOf(id) }),
    ...(version === document.version ? {} : { version: versionOf(version) }),
    ...(routing === document.routing ? {} : { routing: textOf(routing) }),
  }
}

function opOf(value: ScriptValue): (typeof OPS)[number] {
  const asked = textOf(value)?.toLowerCase()
  const op = OPS.find(name => name === asked)
  if (op !== undefined) return op
  throw new IllegalArgumentError(
    `Operation type [${asked}] not allowed, only [${OPS.join(', ')}] are allowed`,
  )
}

function indexOf(value: ScriptValue): string {
  const index = textOf(value)
  if (index !== null) return index
  throw new IllegalArgumentError("Can't reindex without a destination index!")
}

/** A text as it is, anything else as JSON prints it. */
function textOf(value: ScriptValue): string | null {
  if (value === null || typeof value === 'string') return value
  return sourceText(value)
}

function versionOf(value: ScriptValue): bigint | null {
  if (value === null || typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  throw new IllegalArgumentError(
    `_version may only be set to an int or a long but was [${textOf(value)}]`,
  )
}

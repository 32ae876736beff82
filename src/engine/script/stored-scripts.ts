/** Scripts that are stored under an id: put, found, deleted (contract-scripts S6). */

import { SCRIPT_CONTEXTS } from '../../script/context/script-contexts.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { PutScript, StoredScript } from '../api/scripts.ts'
import { type DeclaredOption, readDeclared } from '../dsl/declared-options.ts'
import { readText } from '../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../dsl/parse-error.ts'
import { checkedOptions, readOptions, readSource } from '../dsl/parse-script.ts'
import type { Node } from '../node/node.ts'

/**
 * Stores a script; durable when it resolves.
 * @throws {EngineError} it cannot be stored, or does not compile for the context that is named
 */
export async function putScript(
  node: Node,
  { id, context, body }: PutScript,
  call: CallContext,
): Promise<void> {
  node.ensureOpen()
  const script = parseStored(body)
  node.scripts.checkStored(id, script)
  if (context !== null) await node.scripts.whenLoaded(() => compileFor(node, id, script, context))
  await node.changes.submit(
    `put-script-${id}`,
    'URGENT',
    () => {
      const scripts = new Map(node.metadata.node.storedScripts).set(id, script)
      node.metadata.putNode({ storedScripts: scripts })
    },
    call,
  )
}

function compileFor(node: Node, id: string, script: StoredScript, context: string): void {
  if (!SCRIPT_CONTEXTS.has(context)) throw new IllegalArgumentError(`Unknown context [${context}]`)
  try {
    node.scripts.compile({ ...script, params: null }, context)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { record } = error
    if (record.type === 'script_exception') throw error
    throw new IllegalArgumentError(`failed to parse/compile stored script [${id}]`, {
      causedBy: record,
    })
  }
}

/** Deletes a stored script; durable when it resolves. */
export async function deleteScript(node: Node, id: string, call: CallContext): Promise<void> {
  node.ensureOpen()
  await node.changes.submit(
    `delete-script-${id}`,
    'URGENT',
    () => {
      const scripts = new Map(node.metadata.node.storedScripts)
      if (!scripts.delete(id))
        throw new EngineError({
          type: 'resource_not_found_exception',
          reason: `stored script [${id}] does not exist and cannot be deleted`,
        })
      node.metadata.putNode({ storedScripts: scripts })
    },
    call,
  )
}

/** Reads `{"script": {"lang", "source", "options"?}}`. */
function parseStored(body: JsonNode): StoredScript {
  if (body.kind !== 'object')
    throw parsingError(body, `unexpected token [${tokenName(body.kind)}], expected [{]`)
  const [script] = body.entries
  if (script === undefined)
    throw parsingError(body, 'missing [{] or [script] in the body of a stored script')
  for (const entry of body.entries)
    if (entry.key !== 'script')
      throw parsingError(entry.value, `unexpected field [${entry.key}], expected [script]`)
  if (script.value.kind !== 'object')
    throw parsingError(
      script.value,
      `unexpected token [${tokenName(script.value.kind)}], expected [{, <source>]`,
    )
  const stored = {
    lang: null as string | null,
    source: null as string | null,
    options: new Map() as ReadonlyMap<string, string>,
  }
  const source: DeclaredOption = {
    takes: ['string', 'object'],
    read: value => (stored.source = readSource(value)),
  }
  const options = new Map<string, DeclaredOption>([
    ['lang', { takes: ['string'], read: value => (stored.lang = readText(value)) }],
    ['source', source],
    ['code', source],
    ['options', { takes: ['object'], read: value => (stored.options = readOptions(value)) }],
  ])
  // The real server passes over keys that it does not know: `params`, with which inline scripts come.
  const entries = script.value.entries.filter(({ key }) => options.has(key))
  readDeclared('stored script source', { ...script.value, entries }, options)
  return checkedScript(stored)
}

function checkedScript({
  lang,
  source,
  options,
}: {
  readonly lang: string | null
  readonly source: string | null
  readonly options: StoredScript['options']
}): StoredScript {
  if (lang === null) throw new IllegalArgumentError('must specify lang for stored script')
  if (lang === '') throw new IllegalArgumentError('lang cannot be empty')
  if (source === null) throw new IllegalArgumentError('must specify source for stored script')
  if (source === '') throw new IllegalArgumentError('source cannot be empty')
  return { lang, source, options: checkedOptions(options) }
}

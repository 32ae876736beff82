import type { ScriptRequest } from '../../script/script-request.ts'
import {
  MAX_CALLING_THREAD_MILLIS,
  newDocumentRun,
  newScriptRun,
  type ScriptRun,
} from '../../script/script-run.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import type { ScriptMap, ScriptValue } from '../../script/value/script-value.ts'
import { UnmodifiableMap } from '../../script/value/unmodifiable.ts'
import { textOfValue } from '../../script/value/value-text.ts'
import { openMatches } from '../../search/matches-at.ts'
import { createWeight } from '../../search/query/create-weight.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import { inputsOf } from '../../search/script/leaf-script.ts'
import { scriptEngine } from '../../search/script/script-engine.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { CallContext } from '../../task/call-context.ts'
import { assert } from '../../util/assert.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { type DeclaredOption, readDeclared, TEXT } from '../dsl/declared-options.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { readText } from '../dsl/json-scalars.ts'
import { parseScript } from '../dsl/parse-script.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, type ParsedQuery, type QueryContext } from '../dsl/query-context.ts'
import { scriptPlan } from '../dsl/script-plan.ts'
import { resolveName } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { withDocuments } from './document-leaf.ts'

type ContextName = 'painless_test' | 'filter' | 'score'

const CONTEXTS: readonly ContextName[] = ['painless_test', 'filter', 'score']

interface ExecuteRequest {
  readonly script: ScriptRequest
  readonly context: ContextName
  readonly setup: ContextSetup
}

/** The document that a script reads. */
interface ContextSetup {
  index: string | null
  document: JsonObjectNode | null
  query: ParsedQuery | null
}

/**
 * Runs a script once: on parameters alone, or on a document that no index keeps.
 * @returns a text, a boolean or a double
 * @throws {EngineError} a body of the wrong form; the script fails; the index would refuse the document
 */
export async function executeScript(
  node: Node,
  body: JsonNode,
  call: CallContext,
): Promise<JsonValue> {
  node.ensureOpen()
  const request = readRequest(body)
  if (request.script.source === null) throw validationFailed(['only inline scripts are supported'])
  await node.scripts.load()
  if (request.context === 'painless_test') return testResult(node, request.script)
  const { index, document, query } = request.setup
  const problems = [
    index === null ? 'index is a required parameter for current context' : '',
    document === null ? 'document is a required parameter for current context' : '',
  ].filter(Boolean)
  if (index === null || document === null) throw validationFailed(problems)
  const view = resolveName(node.metadata, index, call)
  const context = queryContextOf(view, node, Date.now())
  const plan = scriptPlan(request.script, request.context, context)
  const run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  return withDocuments(view.index, [writeJson(jsonValueOf(document))], leaf => {
    const score = scoreOf(query, leaf, context)
    const docId = leaf.maxDoc - 1
    const script = scriptEngine().open(
      plan,
      leaf,
      inputsOf(run, () => score),
    )
    if (request.context === 'filter') return script.holds(docId)
    return new Float64(script.number(docId))
  })
}

function testResult(node: Node, request: ScriptRequest): JsonValue {
  const resolved = node.scripts.resolve(request, 'painless_test')
  const compiled = node.scripts.compile(resolved, 'painless_test')
  assert(compiled.lang === 'painless', 'the context has no other language')
  const params = resolved.params === null ? new Map() : (valueOfNode(resolved.params) as ScriptMap)
  const run: ScriptRun = newScriptRun(MAX_CALLING_THREAD_MILLIS)
  const value = compiled.script.execute([new UnmodifiableMap(params)], run) as ScriptValue
  return textOfValue(value, run)
}

/** The score of the document by the query of the request; 1 without one. */
function scoreOf(query: ParsedQuery | null, leaf: Leaf, context: QueryContext): number {
  if (query === null) return 1
  const rewritten = rewrite(onShard(rewrite(buildQuery(query, context), true), [leaf]), true)
  const matches = openMatches(createWeight(rewritten, [leaf], true), leaf, 0)
  const docId = leaf.maxDoc - 1
  if (matches === null || matches.iterator.advance(docId) !== docId)
    throw new IllegalArgumentError('the document does not match the query')
  return matches.scorer.score()
}

function readRequest(body: JsonNode): ExecuteRequest {
  if (body.kind !== 'object') throw new IllegalArgumentError('Required [script]')
  let script = null as ScriptRequest | null
  let context: ContextName = 'painless_test'
  const setup: ContextSetup = { index: null, document: null, query: null }
  const options = new Map<string, DeclaredOption>([
    [
      'script',
      {
        takes: ['object', 'string'],
        read: value => {
          script = parseScript(value)
        },
      },
    ],
    [
      'context',
      {
        takes: TEXT,
        read: value => {
          context = contextOf(readText(value))
        },
      },
    ],
    ['context_setup', { takes: ['object'], read: value => readSetup(value, setup) }],
  ])
  readDeclared('painless_execute_request', body, options)
  if (script === null) throw new IllegalArgumentError('Required [script]')
  return { script, context, setup }
}

function contextOf(name: string): ContextName {
  const context = CONTEXTS.find(each => each === name)
  if (context !== undefined) return context
  throw new EngineError({
    type: 'unsupported_operation_exception',
    reason: `unsupported script context name [${name}]`,
    status: 400,
  })
}

function readSetup(node: JsonNode, setup: ContextSetup): void {
  if (node.kind !== 'object') return
  readDeclared(
    'execute_script_context',
    node,
    new Map<string, DeclaredOption>([
      [
        'index',
        {
          takes: TEXT,
          read: value => {
            setup.index = readText(value)
          },
        },
      ],
      [
        'document',
        {
          takes: ['object'],
          read: value => {
            if (value.kind === 'object') setup.document = value
          },
        },
      ],
      [
        'query',
        {
          takes: ['object'],
          read: value => {
            setup.query = parseQuery(value)
          },
        },
      ],
    ]),
  )
}

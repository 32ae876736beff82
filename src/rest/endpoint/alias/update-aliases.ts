import type { AliasAction } from '../../../engine/api/aliases.ts'
import { unknownField } from '../../../engine/dsl/parse-error.ts'
import { parseBoolean } from '../../../schema/field-type/field-parameter.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { batchActions, parseField, wrongKind } from '../../declared-body.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
} from '../../endpoint.ts'

/** `POST /_aliases`: a batch of changes, all or none. */
export const updateAliases: Endpoint = defineEndpoint({
  routes: [['POST', '/_aliases']],
  action: 'indices:admin/aliases',
  params: MASTER_PARAMS,
  body: 'json-required',
  async handle({ engine, body, context }): Promise<Answer> {
    const actions = batchActions(body!, 'aliases', actionOf)
    if (actions.length === 0) throw validationFailed(['Must specify at least one alias action'])
    await engine.aliases.update(actions, context)
    return { json: { acknowledged: true } }
  },
})

const KINDS = ['add', 'remove', 'remove_index']
/** Keys of an alias's object, which only `add` takes. */
const OBJECT_KEYS = [
  'filter',
  'routing',
  'index_routing',
  'search_routing',
  'is_write_index',
  'is_hidden',
]
const NAME_KEYS = ['index', 'indices', 'alias', 'aliases', 'must_exist']

function actionOf(node: JsonNode): AliasAction {
  const [entry, second] = objectBody(node).entries
  if (second !== undefined)
    throw new IllegalArgumentError('Too many operations declared on operation entry')
  if (entry === undefined)
    throw new IllegalArgumentError('No operation declared on operation entry')
  if (!KINDS.includes(entry.key)) throw unknownField(entry, 'alias_action', KINDS)
  const { key, value } = entry
  if (value.kind !== 'object') throw wrongKind(entry, 'alias_action')
  return parseField(entry, 'alias_action', () => readAction(key, value))
}

function readAction(kind: string, node: JsonObjectNode): AliasAction {
  const indices = new NameKeys('index', 'indices')
  const aliases = new NameKeys('alias', 'aliases')
  const object: JsonEntry[] = []
  let mustExist: boolean | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    const refuse = (): IllegalArgumentError =>
      new IllegalArgumentError(`[${key}] is unsupported for [${kind.toUpperCase()}]`)
    if (indices.read(key, value)) continue
    if (key === 'alias' || key === 'aliases') {
      if (kind === 'remove_index') throw refuse()
      aliases.read(key, value)
    } else if (key === 'must_exist') {
      if (kind === 'add') throw refuse()
      mustExist = value.kind === 'null' ? null : parseBoolean(value, key)
    } else if (OBJECT_KEYS.includes(key)) {
      if (kind !== 'add') throw refuse()
      object.push(entry)
    } else throw unknownField(entry, kind, [...NAME_KEYS, ...OBJECT_KEYS])
  }
  if (kind === 'remove_index') return { kind: 'removeIndex', indices: indices.names() }
  const common = { indices: indices.names(), aliases: aliases.names() }
  if (kind === 'remove') return { kind, ...common, mustExist }
  return { kind: 'add', ...common, alias: { ...node, entries: object } }
}

/** Names under a key for one, or one for several. */
class NameKeys {
  readonly #one: string
  readonly #several: string
  #names: readonly string[] | null = null
  #key = ''

  constructor(one: string, several: string) {
    this.#one = one
    this.#several = several
  }

  /** Takes the value of either key; false for another one. */
  read(key: string, node: JsonNode): boolean {
    if (key !== this.#one && key !== this.#several) return false
    if (this.#names !== null && this.#key !== key)
      throw new IllegalArgumentError(
        `Only one of [${this.#one}] and [${this.#several}] is supported`,
      )
    this.#key = key
    this.#names = key === this.#one ? [nameIn(key, node)] : namesIn(key, node)
    return true
  }

  names(): readonly string[] {
    if (this.#names !== null) return this.#names
    throw new IllegalArgumentError(`One of [${this.#one}] or [${this.#several}] is required`)
  }
}

function nameIn(key: string, node: JsonNode): string {
  const name = node.kind === 'string' ? node.value : node.kind === 'number' ? node.text : ''
  if (name === '') throw new IllegalArgumentError(`[${key}] can't be empty string`)
  return name
}

function namesIn(key: string, node: JsonNode): readonly string[] {
  const items = node.kind === 'array' ? node.items : [node]
  if (items.length === 0) throw new IllegalArgumentError(`[${key}] can't be empty`)
  return items.map(item => {
    const name = item.kind === 'string' ? item.value : item.kind === 'number' ? item.text : ''
    if (name === '') throw new IllegalArgumentError(`[${key}] can't contain empty string`)
    return name
  })
}

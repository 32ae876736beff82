import { readBoolean, readTexts } from '../../../engine/dsl/json-scalars.ts'
import { contentError } from '../../../engine/dsl/parse-error.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { jsonValueOf } from '../../../util/json/json-writer.ts'
import { type ActionType, callStep, defineAction } from '../action-type.ts'
import { entriesOf, itemsOf, readFields, require } from '../policy/read-fields.ts'

interface AliasChange {
  readonly kind: 'add' | 'remove'
  readonly aliases: readonly string[]
  /** Filter, routing and flags of an alias that is added. */
  readonly body: JsonObjectNode
  readonly mustExist: boolean | null
}

const KEYS = [
  'index',
  'indices',
  'alias',
  'aliases',
  'filter',
  'routing',
  'index_routing',
  'search_routing',
  'is_write_index',
  'is_hidden',
  'must_exist',
]
const OF_BODY = KEYS.slice(KEYS.indexOf('filter'), KEYS.indexOf('must_exist'))

/** `alias`: the index gets aliases, or loses them. */
export const alias: ActionType<unknown> = defineAction<readonly AliasChange[]>({
  parse(node) {
    let changes: readonly AliasChange[] = []
    readFields(node, 'AliasAction', {
      actions: value => {
        changes = itemsOf(value).map(parseChange)
      },
    })
    require(changes.length > 0, 'At least one alias action needs to be specified.')
    return changes
  },
  print: changes => ({ actions: changes.map(printChange) }),
  steps: [
    callStep(
      'attempt_alias',
      ({ engine, index, config, call }) =>
        engine.aliases.update(
          config.map(change =>
            change.kind === 'add'
              ? { kind: 'add', indices: [index.name], aliases: change.aliases, alias: change.body }
              : {
                  kind: 'remove',
                  indices: [index.name],
                  aliases: change.aliases,
                  // A repetition finds the alias gone.
                  mustExist: change.mustExist ?? false,
                },
          ),
          call('indices:admin/aliases'),
        ),
      ({ index: { name }, config }) => ({
        done: `Successfully updated alias [index=${name}]`,
        failed: `Failed to update alias [index=${name}] for actions: [actions=${describe(config)}]`,
      }),
    ),
  ],
})

function describe(changes: readonly AliasChange[]): string {
  return `[${changes.map(({ kind, aliases }) => `${kind} [${aliases.join(', ')}]`).join(', ')}]`
}

function parseChange(node: JsonNode): AliasChange {
  const [entry] = entriesOf(node)
  require(entry?.key === 'add' ||
    entry?.key === 'remove', 'Only ADD and REMOVE actions are allowed.')
  const { key, value } = entry!
  let aliases: readonly string[] = []
  let mustExist: boolean | null = null
  const body: JsonEntry[] = []
  for (const field of entriesOf(value)) {
    if (!KEYS.includes(field.key))
      throw contentError(field, `[${key}] unknown field [${field.key}]`)
    require(field.key !== 'index' &&
      field.key !==
        'indices', "Alias action can only work on its applied index so don't accept index/indices parameter.")
    if (field.key === 'alias' || field.key === 'aliases') aliases = readTexts(field.value)
    else if (field.key === 'must_exist') mustExist = readBoolean(field.value)
    else if (OF_BODY.includes(field.key)) body.push(field)
  }
  require(aliases.length > 0, 'At least one alias needs to be specified.')
  const { line, col } = value
  return {
    kind: key === 'add' ? 'add' : 'remove',
    aliases,
    body: { kind: 'object', line, col, entries: body },
    mustExist,
  }
}

function printChange({ kind, aliases, body, mustExist }: AliasChange): JsonRecord {
  return {
    [kind]: {
      aliases,
      ...Object.fromEntries(body.entries.map(({ key, value }) => [key, jsonValueOf(value)])),
      must_exist: mustExist ?? undefined,
    },
  }
}

/** The commands of `_cluster/reroute`: their parameters, and how they are read. */

import { isScalar, readBoolean, readInteger, readText } from '../../engine/dsl/json-scalars.ts'
import { contentError } from '../../engine/dsl/parse-error.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import { objectBody, objectEntry } from '../endpoint.ts'

/** The name of a command. */
export type RerouteCommandName =
  | 'move'
  | 'cancel'
  | 'allocate_replica'
  | 'allocate_stale_primary'
  | 'allocate_empty_primary'

/** One command; nodes are named by id, name, address or attribute. */
export interface RerouteCommand {
  readonly name: RerouteCommandName
  readonly index: string
  readonly shard: number
  /** Where the copy is; of `move` alone. */
  readonly fromNode: string
  /** Where it is to be. */
  readonly node: string
  /** `allow_primary` or `accept_data_loss`. */
  readonly confirms: boolean
}

/** The keys of each command: those of nodes, and the flag; null without one. */
const KEYS: Readonly<
  Record<RerouteCommandName, { readonly nodes: readonly string[]; readonly flag: string | null }>
> = {
  move: { nodes: ['from_node', 'to_node'], flag: null },
  cancel: { nodes: ['node'], flag: 'allow_primary' },
  allocate_replica: { nodes: ['node'], flag: null },
  allocate_stale_primary: { nodes: ['node'], flag: 'accept_data_loss' },
  allocate_empty_primary: { nodes: ['node'], flag: 'accept_data_loss' },
}

/** The flag of a command; null without one. */
export function flagOf(name: RerouteCommandName): string | null {
  return KEYS[name].flag
}

/**
 * The commands of a body, in order.
 * @throws {EngineError} `parse_exception`, `x_content_parse_exception`
 */
export function readCommands(body: JsonNode | null): readonly RerouteCommand[] {
  if (body === null) return []
  const commands: RerouteCommand[] = []
  for (const entry of objectBody(body).entries) {
    const { key, value } = entry
    if (key !== 'commands') {
      const advice = didYouMean(findAlike(key, ['commands']))
      throw contentError(entry, `[cluster_reroute] unknown field [${key}]${advice}`)
    }
    if (value.kind !== 'array')
      throw new EngineError({ type: 'parse_exception', reason: 'expected array of commands' })
    for (const item of value.items) {
      const entries = item.kind === 'object' ? item.entries : []
      if (entries.length !== 1)
        throw new EngineError({
          type: 'parse_exception',
          reason: 'each command must be an object with the name of the command as its one key',
        })
      commands.push(readCommand(entries[0]!))
    }
  }
  return commands
}

function readCommand(entry: JsonEntry): RerouteCommand {
  const name = entry.key
  if (!isName(name)) {
    const advice = didYouMean(findAlike(name, Object.keys(KEYS)))
    throw contentError(entry, `unknown allocation command [${name}]${advice}`)
  }
  const { nodes, flag } = KEYS[name]
  const texts = new Map<string, string>()
  let shard: number | null = null
  let confirms = false
  for (const { key, value } of objectEntry(entry).entries) {
    if (key !== 'index' && key !== 'shard' && key !== flag && !nodes.includes(key))
      throw parseError(`[${name}] command does not support field [${key}]`)
    if (!isScalar(value))
      throw parseError(`[${name}] command does not support complex json tokens [${value.kind}]`)
    if (key === 'shard') shard = readInteger(value)
    else if (key === flag) confirms = readBoolean(value)
    else texts.set(key, readText(value))
  }
  for (const key of ['index', ...nodes])
    if (!texts.has(key)) throw parseError(`[${name}] command missing the ${key} parameter`)
  if (shard === null) throw parseError(`[${name}] command missing the shard parameter`)
  return {
    name,
    index: texts.get('index') ?? '',
    shard,
    fromNode: texts.get(nodes[0]!) ?? '',
    node: texts.get(nodes.at(-1)!) ?? '',
    confirms,
  }
}

function isName(name: string): name is RerouteCommandName {
  return Object.hasOwn(KEYS, name)
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}

import { readBoolean, readInteger, readNumber } from '../../../engine/dsl/json-scalars.ts'
import { indexSettings } from '../../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { type JsonNode, type JsonObjectNode, parseJsonTree } from '../../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import {
  type ActionType,
  completed,
  defineAction,
  failed,
  notYet,
  type StepContext,
  type StepOutcome,
} from '../action-type.ts'
import { changeSettings } from '../change-settings.ts'
import { aliasesOf, type IndexView, namedIndices, viewsOf } from '../index-view.ts'
import { parseTemplate, printTemplate, type Template } from '../policy/message.ts'
import {
  entriesOf,
  itemsOf,
  type Measure,
  readFields,
  readSize,
  require,
} from '../policy/read-fields.ts'
import type { ActionProperties } from '../progress.ts'
import { renderName } from '../render-template.ts'
import { sizesOf } from '../shard-stats.ts'

interface Shrink {
  readonly shards:
    | { readonly kind: 'num_new_shards'; readonly count: number }
    | { readonly kind: 'max_shard_size'; readonly size: Measure }
    | { readonly kind: 'percentage_of_source_shards'; readonly share: number }
  readonly targetName: Template | null
  /** Objects of one alias each, of the new index. */
  readonly aliases: readonly JsonObjectNode[] | null
  readonly switchesAliases: boolean
  /** Null: not given. */
  readonly forcesUnsafe: boolean | null
}

type ShrinkProperties = NonNullable<ActionProperties['shrink']>

const WRITE_BLOCK = 'index.blocks.write'
const REQUIRED_NODE = 'index.routing.allocation.require._name'
const SUFFIX = '_shrunken'
/** Steps that a failure of ends, with what it did. */
const FAILED_MOVE = 'Shrink action failed due to initial moving shards failure.'
const FAILED_SHRINK = 'Shrink failed when sending shrink request.'
const FAILED_WAIT = 'Shrink failed while waiting for shards to start.'
const NO_PROPERTIES = 'Shrink action properties are null, metadata was not properly populated'

/** `shrink`: an index of fewer shards is made of the index. */
export const shrink: ActionType<unknown> = defineAction<Shrink>({
  parse,
  print: config => ({
    ...printShards(config.shards),
    target_index_name_template:
      config.targetName === null ? undefined : printTemplate(config.targetName),
    aliases: config.aliases?.map(jsonValueOf),
    switch_aliases: config.switchesAliases,
    force_unsafe: config.forcesUnsafe ?? undefined,
  }),
  restarts: true,
  steps: [
    { name: 'attempt_move_shards_step', run: prepare },
    { name: 'wait_for_move_shards_step', run: waitForMove },
    { name: 'attempt_shrink_step', run: resize },
    { name: 'wait_for_shrink_step', run: finish },
  ],
})

function printShards(shards: Shrink['shards']): { readonly [key: string]: string | number } {
  switch (shards.kind) {
    case 'num_new_shards':
      return { num_new_shards: shards.count }
    case 'max_shard_size':
      return { max_shard_size: shards.size.text }
    case 'percentage_of_source_shards':
      return { percentage_of_source_shards: shards.share }
  }
}

function parse(node: JsonNode): Shrink {
  const shards: Shrink['shards'][] = []
  let targetName: Template | null = null
  let aliases: readonly JsonObjectNode[] | null = null
  let switchesAliases = false
  let forcesUnsafe: boolean | null = null
  readFields(node, 'ShrinkAction', {
    num_new_shards: value => {
      const count = readInteger(value)
      require(count > 0, 'Shrink action numNewShards must be greater than 0.')
      shards.push({ kind: 'num_new_shards', count })
    },
    max_shard_size: value => {
      const size = readSize(value, 'max_shard_size')
      require(size.value > 0, 'Shrink action maxShardSize must be greater than 0.')
      shards.push({ kind: 'max_shard_size', size })
    },
    percentage_of_source_shards: value => {
      const share = readNumber(value)
      require(share > 0 &&
        share < 1, 'Percentage of source shards must be between 0.0 and 1.0 exclusively')
      shards.push({ kind: 'percentage_of_source_shards', share })
    },
    target_index_name_template: value => {
      targetName = parseTemplate(value, 'Target index name template')
    },
    aliases: value => {
      aliases = value.kind === 'null' ? null : itemsOf(value).map(parseAlias)
    },
    switch_aliases: value => {
      switchesAliases = readBoolean(value)
    },
    force_unsafe: value => {
      forcesUnsafe = readBoolean(value)
    },
  })
  const [chosen, second] = shards
  if (chosen === undefined || second !== undefined)
    throw new IllegalArgumentError(
      'Exactly one option specifying the number of shards to shrink to must be used.',
    )
  return { shards: chosen, targetName, aliases, switchesAliases, forcesUnsafe }
}

/** An object with the alias as its one key. */
function parseAlias(node: JsonNode): JsonObjectNode {
  require(entriesOf(node).length === 1, 'an alias of [aliases] is an object with its one name')
  return node as JsonObjectNode
}

async function prepare(context: StepContext<Shrink>): Promise<StepOutcome> {
  const { engine, index, config } = context
  const targetIndexName = nameOfTarget(context)
  const existing = targetOf(context, targetIndexName)
  if (existing !== null && !isMadeOf(existing, index))
    return failed(`Shrink failed because ${targetIndexName} already exists.`)
  if (config.forcesUnsafe !== true && index.numberOfReplicas === 0)
    return failed(
      'Shrink failed because index has no replicas and force_unsafe is not set to true.',
    )
  const from = index.shards.length
  const to = await numberOfShards(context)
  if (from === 1 || from === to)
    return completed(
      from === 1
        ? 'Source index only has one primary shard. Skip this shrink execution.'
        : 'Source index already has target number of shards. Skip this shrink execution.',
      { endedAs: 'wait_for_shrink_step', properties: null },
    )
  const kept = context.progress.action?.properties?.shrink
  const { nodeName } = engine.cluster.identity
  const shrinking: ShrinkProperties = {
    nodeName,
    targetIndexName,
    targetNumShards: to,
    writeBlock: kept === undefined ? textOf(index, WRITE_BLOCK) : kept.writeBlock,
    requiredNode: kept === undefined ? textOf(index, REQUIRED_NODE) : kept.requiredNode,
  }
  try {
    await context.keep({ shrink: shrinking })
    await changeSettings(context, index.name, { [WRITE_BLOCK]: 'true', [REQUIRED_NODE]: nodeName })
    return completed(
      `Successfully initialized moving the shards to ${nodeName} for a shrink action.`,
      { properties: { shrink: shrinking } },
    )
  } catch (error) {
    return { ...failed(FAILED_MOVE, error), properties: null }
  }
}

/** All shards are on the one node. */
async function waitForMove({ progress }: StepContext<Shrink>): Promise<StepOutcome> {
  const shrinking = progress.action?.properties?.shrink
  if (shrinking === undefined) return failed(NO_PROPERTIES)
  return completed(`The shards successfully moved to ${shrinking.nodeName}.`)
}

async function resize(context: StepContext<Shrink>): Promise<StepOutcome> {
  const { engine, index, config, progress } = context
  const shrinking = progress.action?.properties?.shrink
  if (shrinking === undefined) return failed(NO_PROPERTIES)
  const { targetIndexName: target, targetNumShards } = shrinking
  const begun = completed(`Shrink started. ${target} currently being populated.`)
  const existing = targetOf(context, target)
  if (existing !== null && isMadeOf(existing, index)) return begun
  try {
    // Another hand may have lifted it meanwhile.
    await changeSettings(context, index.name, { [WRITE_BLOCK]: 'true' })
    await engine.indices.resize(
      {
        kind: 'shrink',
        source: index.name,
        target,
        settings: new Map([
          [REQUIRED_NODE, shrinking.nodeName],
          ['index.number_of_shards', String(targetNumShards)],
        ]),
        aliases: aliasesOfTarget(config),
        maxShardSizeInBytes: null,
        waitForActiveShards: null,
        executionTimeoutInMillis: null,
      },
      context.call('indices:admin/resize'),
    )
    return begun
  } catch (error) {
    await restoreSource(context, shrinking)
    return { ...failed(FAILED_SHRINK, error), properties: null }
  }
}

async function finish(context: StepContext<Shrink>): Promise<StepOutcome> {
  const { index, progress, now, timeoutInMillis } = context
  const shrinking = progress.action?.properties?.shrink
  if (shrinking === undefined) return failed(NO_PROPERTIES)
  const { targetIndexName } = shrinking
  const target = targetOf(context, targetIndexName)
  if (target === null || target.shards.some(({ isActive }) => !isActive)) {
    const waited = now - (progress.action?.startTime ?? now)
    if (waited <= (timeoutInMillis ?? 12 * 3_600_000))
      return notYet(`Shrink delayed because ${targetIndexName} shards not in started state.`)
    await restoreSource(context, shrinking)
    return failed(
      `Shrink failed because it timed out while waiting for ${targetIndexName} shrink to finish.`,
    )
  }
  try {
    await changeSettings(context, targetIndexName, { [REQUIRED_NODE]: null })
    await restoreSource(context, shrinking)
  } catch (error) {
    return failed(FAILED_WAIT, error)
  }
  try {
    if (context.config.switchesAliases) await switchAliases(context, index.name, targetIndexName)
  } catch (error) {
    return failed('Shrink failed due to aliases switch failure.', error)
  }
  return completed('Shrink finished successfully.', { properties: null })
}

/** Gives the source back what it had before. */
function restoreSource(
  context: StepContext<Shrink>,
  { writeBlock, requiredNode }: ShrinkProperties,
): Promise<void> {
  return changeSettings(context, context.index.name, {
    [WRITE_BLOCK]: writeBlock,
    [REQUIRED_NODE]: requiredNode,
  })
}

async function switchAliases(
  { engine, call }: StepContext<Shrink>,
  source: string,
  target: string,
): Promise<void> {
  const [from, there] = [await aliasesOf(engine, source), await aliasesOf(engine, target)]
  if (from.size === 0) return
  await engine.aliases.update(
    [
      ...Array.from(from.keys(), alias => ({
        kind: 'remove' as const,
        indices: [source],
        aliases: [alias],
        mustExist: null,
      })),
      ...[...from]
        .filter(([alias]) => !there.has(alias))
        .map(([alias, body]) => ({
          kind: 'add' as const,
          indices: [target],
          aliases: [alias],
          alias: parseJsonTree(writeJson(body)),
        })),
    ],
    call('indices:admin/aliases'),
  )
}

function aliasesOfTarget({ aliases }: Shrink): JsonNode | null {
  if (aliases === null) return null
  const entries = aliases.flatMap(alias => alias.entries)
  return { kind: 'object', line: 1, col: 1, entries }
}

function nameOfTarget({ engine, index, config }: StepContext<Shrink>): string {
  const rendered =
    config.targetName === null ? '' : renderName(engine, config.targetName, index).trim()
  return rendered === '' ? index.name + SUFFIX : rendered
}

function targetOf({ engine }: StepContext<Shrink>, name: string): IndexView | null {
  return viewsOf(engine, namedIndices([name], true))[0] ?? null
}

/** Whether an index was shrunk out of another one. */
function isMadeOf({ settings }: IndexView, { uuid }: IndexView): boolean {
  return settings.get('index.resize.source.uuid') === uuid
}

function textOf({ settings }: IndexView, key: string): string | null {
  return settings.has(key) ? indexSettings.text(settings, key) : null
}

/** A divisor of the number of shards that there are, as those that stay are made of whole ones. */
async function numberOfShards({ engine, index, config }: StepContext<Shrink>): Promise<number> {
  const { shards } = config
  const from = index.shards.length
  const divisors = Array.from({ length: from }, (_, i) => i + 1).filter(n => from % n === 0)
  const largestTo = (limit: number): number => divisors.findLast(n => n <= Math.max(limit, 1))!
  switch (shards.kind) {
    case 'num_new_shards':
      return largestTo(shards.count)
    case 'percentage_of_source_shards':
      return largestTo(Math.floor(shards.share * from))
    case 'max_shard_size': {
      const { sizeInBytes } = await sizesOf(engine, index.name)
      const least = Math.ceil(sizeInBytes / shards.size.value)
      return divisors.find(n => n >= least) ?? from
    }
  }
}

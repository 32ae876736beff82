import { readBoolean, readNumber } from '../../../engine/dsl/json-scalars.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { type JsonNode, parseJsonTree } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { writeJson } from '../../../util/json/json-writer.ts'
import { durationText, sizeText } from '../../../util/units.ts'
import {
  type ActionType,
  completed,
  defineAction,
  failed,
  notYet,
  type StepContext,
  type StepOutcome,
} from '../action-type.ts'
import { aliasesOf, type IndexView, rolloverTarget, skipsRollover } from '../index-view.ts'
import { type Measure, readDuration, readFields, readSize, require } from '../policy/read-fields.ts'
import { type IndexSizes, sizesOf } from '../shard-stats.ts'

interface Rollover {
  readonly minSize: Measure | null
  readonly minDocs: number | null
  readonly minAge: Measure | null
  readonly minPrimaryShardSize: Measure | null
  readonly copiesAliases: boolean
  readonly preventsEmpty: boolean
}

/** `rollover`: the alias or the data stream of the index goes on to a new one, if a condition holds or there is none. */
export const rollover: ActionType<unknown> = defineAction<Rollover>({
  parse,
  print: config => ({
    min_size: config.minSize?.text,
    min_doc_count: config.minDocs ?? undefined,
    min_index_age: config.minAge?.text,
    min_primary_shard_size: config.minPrimaryShardSize?.text,
    copy_alias: config.copiesAliases,
    prevent_empty_rollover: config.preventsEmpty ? true : undefined,
  }),
  steps: [{ name: 'attempt_rollover', run: attempt }],
})

function parse(node: JsonNode): Rollover {
  let minSize: Measure | null = null
  let minDocs: number | null = null
  let minAge: Measure | null = null
  let minPrimaryShardSize: Measure | null = null
  let copiesAliases = false
  let preventsEmpty = false
  readFields(node, 'RolloverAction', {
    min_size: value => {
      const size = readSize(value, 'min_size')
      require(size.value > 0, 'RolloverAction minSize value must be greater than 0')
      minSize = size
    },
    min_doc_count: value => {
      const docs = Math.trunc(readNumber(value))
      require(docs > 0, 'RolloverAction minDocs value must be greater than 0')
      minDocs = docs
    },
    min_index_age: value => {
      minAge = readDuration(value, 'min_index_age')
    },
    min_primary_shard_size: value => {
      const size = readSize(value, 'min_primary_shard_size')
      require(size.value >
        0, 'RolloverActionConfig minPrimaryShardSize value must be greater than 0')
      minPrimaryShardSize = size
    },
    copy_alias: value => {
      copiesAliases = readBoolean(value)
    },
    prevent_empty_rollover: value => {
      preventsEmpty = readBoolean(value)
    },
  })
  return { minSize, minDocs, minAge, minPrimaryShardSize, copiesAliases, preventsEmpty }
}

async function attempt(context: StepContext<Rollover>): Promise<StepOutcome> {
  const { engine, index, config } = context
  const { name } = index
  if (skipsRollover(index))
    return completed(`Skipped rollover action for [index=${name}]`, { rolledOver: true })
  const target = rolloverTarget(index)
  if (target === null) return failed(`Missing rollover_alias index setting [index=${name}]`)
  // Found done: by another hand, or by this step before the node ended.
  if (index.rollovers.some(rolledOver => rolledOver.name === target))
    return await copyAliases(
      context,
      target,
      completed(
        'This index has already been rolled over using this alias, treating as a success ' +
          `[index=${name}, alias=${target}]`,
        { rolledOver: true },
      ),
    )
  if (index.dataStream === null && !(await isWriteIndex(context, target)))
    return failed(`Missing alias or not the write index when rollover [index=${name}]`)
  let sizes: IndexSizes
  try {
    sizes = await sizesOf(engine, name)
  } catch (error) {
    return failed(`Failed to evaluate conditions for rollover [index=${name}]`, error)
  }
  if (config.preventsEmpty && sizes.docCount === 0)
    return notYet(`Rollover prevented: index is empty (0 documents) [index=${name}]`, {
      conditions: {
        prevent_empty_rollover: {
          condition: 'index must have at least 1 document',
          current: 0,
        },
      },
    })
  const report = reportOf(context, sizes)
  const conditions = Object.keys(report.shown).length === 0 ? {} : { conditions: report.shown }
  if (!report.isMet) return notYet(`Pending rollover of index [index=${name}]`, conditions)
  return await rollOver(context, target, conditions)
}

async function rollOver(
  context: StepContext<Rollover>,
  target: string,
  conditions: JsonRecord,
): Promise<StepOutcome> {
  const { engine, index } = context
  const { name, dataStream } = index
  try {
    const { newIndex } = await engine.indices.rollOver(
      {
        name: target,
        newIndex: null,
        conditions: [],
        body: { settings: new Map(), mappings: null, aliases: null },
        isDryRun: false,
        waitForActiveShards: null,
      },
      context.call('indices:admin/rollover'),
    )
    const message =
      dataStream === null
        ? `Successfully rolled over index [index=${name}]`
        : `Successfully rolled over data stream [data_stream=${target} index=${name}]`
    const done = completed(message, { rolledOver: true, rolledOverIndexName: newIndex })
    const { info, ...rest } = await copyAliases(context, target, done)
    return { ...rest, info: { ...info, ...conditions } }
  } catch (error) {
    return failed(`Failed to rollover index [index=${name}]`, error)
  }
}

/** Gives the new index the other aliases too, if the policy asks for that. */
async function copyAliases(
  { engine, index, config, progress, call }: StepContext<Rollover>,
  target: string,
  done: StepOutcome,
): Promise<StepOutcome> {
  if (!config.copiesAliases) return done
  const { name } = index
  const to = done.rolledOverIndexName ?? progress.rolledOverIndexName
  if (to === null)
    return completed(
      `Successfully rolled over [index=${name}] but ISM cannot find rolled over index from metadata to ` +
        'copy aliases to, please manually copy',
      { rolledOver: true },
    )
  const others = [...(await aliasesOf(engine, name))].filter(([alias]) => alias !== target)
  if (others.length === 0)
    return {
      ...done,
      info: {
        message: `Successfully rolled over index [index=${name}] to [index=${to}], no additional aliases to copy`,
      },
    }
  try {
    await engine.aliases.update(
      others.map(([alias, body]) => ({
        kind: 'add',
        indices: [to],
        aliases: [alias],
        alias: withoutWriteIndex(parseJsonTree(writeJson(body))),
      })),
      call('indices:admin/aliases'),
    )
    return {
      ...done,
      info: {
        message: `Successfully rolled over and copied alias from [index=${name}] to [index=${to}]`,
      },
    }
  } catch (error) {
    const message = `Successfully rolled over but failed to copy alias from [index=${name}] to [index=${to}]`
    return { ...done, ...failed(message, error) }
  }
}

/** Two indices of an alias cannot both be written to. */
function withoutWriteIndex(node: JsonNode): JsonNode {
  if (node.kind !== 'object') return parseJsonTree(encodeUtf8('{}'))
  return { ...node, entries: node.entries.filter(({ key }) => key !== 'is_write_index') }
}

async function isWriteIndex(
  { engine, index }: StepContext<Rollover>,
  alias: string,
): Promise<boolean> {
  return (await roleInAlias(engine, index, alias)) === 'write'
}

/** How an index stands to an alias: it takes its writes, it is one of several, it is none. */
export async function roleInAlias(
  engine: StepContext<unknown>['engine'],
  { name }: IndexView,
  alias: string,
): Promise<'write' | 'other' | 'none'> {
  const body = (await aliasesOf(engine, name)).get(alias)
  if (body === undefined) return 'none'
  const node = parseJsonTree(writeJson(body))
  const isWrite =
    node.kind === 'object' &&
    node.entries.some(
      ({ key, value }) => key === 'is_write_index' && value.kind === 'boolean' && value.value,
    )
  return isWrite || engine.aliases.relations(alias).indices.length <= 1 ? 'write' : 'other'
}

/** The conditions with what they are held against, and whether one of them holds. */
function reportOf(
  { index, config, now }: StepContext<Rollover>,
  { docCount, sizeInBytes, shards }: IndexSizes,
): { readonly shown: JsonRecord; readonly isMet: boolean } {
  const { minAge, minDocs, minSize, minPrimaryShardSize } = config
  const shown: Record<string, JsonRecord> = {}
  const met: boolean[] = []
  if (minAge !== null) {
    const age = now - index.createdAtInMillis
    met.push(age >= minAge.value)
    shown['min_index_age'] = {
      condition: minAge.text,
      current: durationText(age * 1e6),
      creationDate: index.createdAtInMillis,
    }
  }
  if (minDocs !== null) {
    met.push(docCount >= minDocs)
    shown['min_doc_count'] = { condition: minDocs, current: docCount }
  }
  if (minSize !== null) {
    met.push(sizeInBytes >= minSize.value)
    shown['min_size'] = { condition: minSize.text, current: sizeText(sizeInBytes) }
  }
  if (minPrimaryShardSize !== null) {
    const sizes = shards.map(({ storeInBytes }) => storeInBytes)
    const largest = Math.max(0, ...sizes)
    met.push(largest >= minPrimaryShardSize.value)
    shown['min_primary_shard_size'] = {
      condition: minPrimaryShardSize.text,
      current: sizeText(largest),
      shard: Math.max(0, sizes.indexOf(largest)),
    }
  }
  return { shown, isMet: met.length === 0 || met.includes(true) }
}

import type { ValueFilter, ValueSet } from '../../../aggregation/terms/value-filter.ts'
import type { ValueSource } from '../../../aggregation/value-source.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseAddress } from '../../../util/ip-address.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import type { QueryContext } from '../query-context.ts'
import type { AggregationParser, ParsedOrders } from './aggregation-parser.ts'
import { readMinDocCount, readSize } from './counts.ts'
import { type Inclusion, NO_INCLUSION, readExclude, readInclude } from './inclusion.ts'
import { readFields } from './object-fields.ts'
import { BY_COUNT, bucketOrders, readOrders } from './orders.ts'
import {
  bindValues,
  checkFieldGiven,
  newValueKeys,
  numberOf,
  overValues,
  sortableOf,
  sourceOfType,
  valueReaders,
} from './value-keys.ts'

const HINTS = ['map', 'global_ordinals', 'stream'] as const
const COLLECT_MODES: readonly string[] = ['depth_first', 'breadth_first']

/** `terms`. */
export const terms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let size = 10
    let shardSize = -1
    let minDocCount = 1
    let shardMinDocCount = 0
    let order: ParsedOrders = BY_COUNT
    let showsErrors = false
    let hint: (typeof HINTS)[number] | null = null
    let inclusion: Inclusion = NO_INCLUSION
    readFields(node, 'terms', {
      ...valueReaders(keys),
      size: value => {
        size = readSize(value, 'size', name)
      },
      shard_size: value => {
        shardSize = readSize(value, 'shardSize', name)
      },
      min_doc_count: value => {
        minDocCount = readMinDocCount(value, 'minDocCount', name)
      },
      shard_min_doc_count: value => {
        shardMinDocCount = readMinDocCount(value, 'shardMinDocCount', name)
      },
      order: value => {
        order = readOrders(value)
      },
      show_term_doc_count_error: value => {
        showsErrors = readBoolean(value)
      },
      include: value => {
        inclusion = { ...inclusion, ...readInclude(value) }
      },
      exclude: value => {
        inclusion = { ...inclusion, exclude: readExclude(value) }
      },
      execution_hint: value => {
        const text = readText(value)
        hint = HINTS.find(each => each === text) ?? null
        if (hint === null)
          throw new IllegalArgumentError(
            `Unknown \`execution_hint\`: [${text}], expected any of [map, global_ordinals, stream]`,
          )
      },
      collect_mode: value => {
        const mode = readText(value)
        if (!COLLECT_MODES.includes(mode))
          throw new IllegalArgumentError(
            `Unknown \`collect_mode\`: [${mode}], expected any of [${COLLECT_MODES.join(', ')}]`,
          )
      },
    })
    checkFieldGiven(keys)
    const isByKey = order[0]?.path === '_key'
    const usual = isByKey ? size : Math.min(2147483647, Math.floor(size * 1.5) + 10)
    return {
      order,
      bind(context, children) {
        const taken = { aggregation: 'terms', byDefault: 'string', takesTerms: true } as const
        const source = bindValues(keys, taken, context)
        return overValues(source, sourceOfType('', keys.valueType ?? 'string'), values => ({
          kind: 'terms',
          name,
          children,
          values,
          size,
          shardSize: Math.max(size, shardSize < 0 ? usual : shardSize),
          minDocCount,
          shardMinDocCount: Math.min(minDocCount, shardMinDocCount),
          order: bucketOrders(order),
          showsErrors,
          hint,
          filter: filterOf(inclusion, values, name, context),
        }))
      },
    }
  },
}

/** The values that have buckets. */
function filterOf(
  { include, exclude, partition }: Inclusion,
  values: ValueSource,
  name: string,
  context: QueryContext,
): ValueFilter | null {
  if (include === null && exclude === null && partition === null) return null
  const bound = (given: Inclusion['include']): ValueSet | null =>
    given === null ? null : boundSet(given, values, name, context)
  return { include: bound(include), exclude: bound(exclude), partition }
}

function boundSet(
  given: NonNullable<Inclusion['include']>,
  values: ValueSource,
  name: string,
  context: QueryContext,
): ValueSet {
  const isText = values.kind !== 'numbers' && values.format.kind !== 'ip'
  if (given.kind === 'pattern') {
    if (isText) {
      if (given.pattern.length > context.maxRegexLength)
        throw new IllegalArgumentError(
          `The length of regex [${given.pattern.length}] used in the request has exceeded the ` +
            `allowed maximum of [${context.maxRegexLength}]. This maximum can be set by changing ` +
            'the [index.max_regex_length] index level setting.',
        )
      return given
    }
    throw new IllegalArgumentError(
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as ` +
        'they can only be applied to string fields. Use an array of ' +
        `${values.kind === 'numbers' ? 'numeric ' : ''}values for include/exclude clauses`,
    )
  }
  if (values.kind === 'numbers')
    return {
      kind: 'numbers',
      numbers: given.texts.map(text => sortableOf(values, numberOf(values, text, context))),
    }
  return {
    kind: 'terms',
    terms: given.texts.map(text =>
      isText ? encodeUtf8(text) : (parseAddress(text) ?? encodeUtf8(text)),
    ),
  }
}

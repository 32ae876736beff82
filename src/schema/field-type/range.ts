/** `integer_range` and its kin: intervals of numbers, dates and addresses. */
import { EngineError, IllegalArgumentError, toErrorRecord } from '../../util/errors.ts'
import { addressNumber } from '../../util/ip-address.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { readAddressBlock } from '../address-block.ts'
import type { DateFormat } from '../date-format.ts'
import { describeNode } from '../json-conversion.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { isKept, type MappedField } from './mapped-field.ts'
import { RANGE_DATE_PARAMETERS, rangeDateFormat } from './range-dates.ts'
import { RANGE_ENDS, type RangeEnds, type RangeTypeName } from './range-ends.ts'
import {
  boost,
  coerce,
  docValues,
  ignoreMalformed,
  index,
  meta,
  store,
} from './shared-parameters.ts'

/** A field of intervals. */
export interface RangeField<T extends RangeTypeName = RangeTypeName> extends MappedField {
  readonly type: T
  readonly docValues: boolean
  readonly ignoreMalformed: boolean
  /** Whether texts stand for numbers, and fractions are cut off. */
  readonly coerce: boolean
  /** Of dates; null for other ends. */
  readonly format: DateFormat | null
  /** Factor of the scores of whole values. */
  readonly boost: number
}

/** The field type of intervals of a kind. */
export function rangeType<T extends RangeTypeName>(type: T): FieldKind<RangeField<T>> {
  const ends = RANGE_ENDS[type]
  const isOfDates = type === 'date_range'
  const ofDates = isOfDates ? RANGE_DATE_PARAMETERS : []
  return {
    parameters: [index, docValues, store, coerce, ...ofDates, boost, meta, ignoreMalformed],
    rules: [],
    build: (name, values) => ({
      name,
      type,
      indexed: values.flag('index'),
      parameters: values.given,
      docValues: values.flag('doc_values'),
      ignoreMalformed: values.ignoreMalformed,
      coerce: values.coerce,
      format: isOfDates ? rangeDateFormat(values) : null,
      boost: values.number('boost', 1),
    }),
    storage: field => ({
      kind: 'intervals',
      indexOptions: 'none',
      hasNorms: false,
      docValues: field.docValues ? 'bytes' : 'none',
      hasBoxes: field.indexed,
      endWords: ends.words,
    }),
    addValue(field, ordinal, token, values) {
      if (token === JSON_TOKENS.null) return
      const isText = type === 'ip_range' && token === JSON_TOKENS.string
      add(
        field,
        ordinal,
        values,
        error => values.valueError(field, token, error),
        () => (isText ? ofBlock(values.reader.text()) : refuseScalar(field)),
      )
    },
    addObject(field, ordinal, values) {
      const node = values.takeTree()
      add(
        field,
        ordinal,
        values,
        error => values.nodeError(field, node, error),
        () => intervalOf(field, ends, node),
      )
    },
  }
}

/** Both ends, included. */
type Interval = readonly [from: bigint, to: bigint]

function add(
  field: RangeField,
  ordinal: number,
  values: LeafValues,
  errorOf: (problem: ReturnType<typeof toErrorRecord>) => EngineError,
  read: () => Interval,
): void {
  let interval: Interval
  try {
    interval = read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (!field.ignoreMalformed) throw errorOf(toErrorRecord(error))
    values.addIgnored(field.name)
    return
  }
  if (!isKept(field)) return
  const { words, offset } = RANGE_ENDS[field.type]
  const bytes = new Uint8Array(8 * words)
  for (const [i, end] of interval.entries())
    putNumber(bytes, 4 * words * i, 4 * words, end + offset)
  values.addByteString(ordinal, bytes)
}

/** Both ends of a value as columns keep it. @param bytes one value of a column */
export function readEnds(type: RangeTypeName, bytes: Uint8Array): Interval {
  const { words, offset } = RANGE_ENDS[type]
  const endAt = (i: number): bigint => {
    let end = 0n
    for (let at = 4 * words * i; at < 4 * words * (i + 1); at++)
      end = (end << 8n) | BigInt(bytes[at]!)
    return end - offset
  }
  return [endAt(0), endAt(1)]
}

/** Writes an unsigned number of so many bytes, the most significant first. */
function putNumber(bytes: Uint8Array, start: number, length: number, value: bigint): void {
  let rest = value
  for (let at = start + length - 1; at >= start; at--) {
    bytes[at] = Number(rest & 0xffn)
    rest >>= 8n
  }
}

function refuseScalar({ name }: RangeField): never {
  const key = name.slice(name.lastIndexOf('.') + 1)
  throw mapperParsingError(`error parsing field [${name}], expected an object but got ${key}`)
}

function ofBlock(text: string): Interval {
  const { first, last } = readAddressBlock(text)
  return [addressNumber(first), addressNumber(last)]
}

function intervalOf(field: RangeField, ends: RangeEnds, node: JsonNode): Interval {
  let from = ends.min
  let to = ends.max
  for (const { key, value } of node.kind === 'object' ? node.entries : []) {
    const isLower = key === 'gt' || key === 'gte'
    if (!isLower && key !== 'lt' && key !== 'lte')
      throw mapperParsingError(
        `error parsing field [${field.name}], with unknown parameter [${key}]`,
      )
    if (value.kind === 'null') continue
    const end = readEnd(field, ends, value)
    if (isLower) from = key === 'gte' ? end : end + 1n
    else to = key === 'lte' ? end : end - 1n
  }
  if (from > to)
    throw new IllegalArgumentError(
      `min value (${ends.print(from)}) is greater than max value (${ends.print(to)})`,
    )
  return [from, to]
}

function readEnd(field: RangeField, ends: RangeEnds, node: JsonNode): bigint {
  if (node.kind === 'object' || node.kind === 'array')
    throw new IllegalArgumentError(
      `Can't get text on a ${node.kind === 'object' ? 'START_OBJECT' : 'START_ARRAY'}`,
    )
  return ends.read(describeNode(node), node.kind === 'number', field)
}

/** The keys of `terms`: values of one type. */
import { compareBytes } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import type { ReducedShards } from '../aggregation-type.ts'
import type { AnyValueSource, ValueFormat } from '../value-source.ts'
import { numberText, termText } from '../value-text.ts'
import type { KeyForm } from './shard-buckets.ts'
import type { TermKey } from './term-keys.ts'

/** A plan whose keys are values of one field. */
type KeyedTerms = { readonly name: string; readonly values: AnyValueSource }

/** The type of an answer's keys. */
type KeyFamily = 'string' | 'long' | 'unsignedLong' | 'double'

const FAMILIES: {
  readonly [F in KeyFamily]: { readonly typedName: string; readonly className: string }
} = {
  string: { typedName: 'sterms', className: 'StringTerms' },
  long: { typedName: 'lterms', className: 'LongTerms' },
  unsignedLong: { typedName: 'ulterms', className: 'UnsignedLongTerms' },
  double: { typedName: 'dterms', className: 'DoubleTerms' },
}

const UNMAPPED = { typedName: 'umterms', className: 'UnmappedTerms' }

/**
 * The keys of terms over all indices.
 * @throws {EngineError} indices keep the field as types that have no order in common
 */
export function termsKeyForm(
  plans: readonly KeyedTerms[],
  { isMapped }: ReducedShards,
): KeyForm<TermKey> {
  const family = familyOf(plans)
  const { format } = plans[0]!.values
  const { typedName, className } = isMapped ? FAMILIES[family] : UNMAPPED
  return {
    typedName,
    className,
    showsCounters: true,
    normal: key => (family === 'double' ? Number(key) : key),
    id: keyId,
    compare: compareKeys,
    print(key) {
      const { printed, text } = printKey(key, format)
      return {
        key: printed,
        text: text ?? undefined,
        name: text ?? nameOf(printed),
        number: key instanceof Uint8Array ? Number.NaN : Number(key),
      }
    },
  }
}

/** A key of a map, which −0.0 and 0.0 do not share: terms as text of one character a byte. */
export function keyId(key: TermKey): string | number | bigint {
  if (key instanceof Uint8Array) return Buffer.from(key).toString('latin1')
  return Object.is(key, -0) ? '-0' : key
}

/** Compares two keys of one family, −0.0 below 0.0. */
export function compareKeys(a: TermKey, b: TermKey): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  if (Object.is(a, b)) return 0
  return a < b ? -1 : a > b ? 1 : Object.is(a, -0) ? -1 : 1
}

/** A key as it prints, and its text where one stands beside it. */
export function printKey(
  key: TermKey,
  format: ValueFormat,
): { readonly printed: JsonValue; readonly text: string | null } {
  if (key instanceof Uint8Array) return { printed: termText(format, key), text: null }
  const text = numberText(format)
  const shown = text.isShown ? text.of(Number(key)) : null
  return { printed: typeof key === 'bigint' ? key : new Float64(key), text: shown }
}

function nameOf(printed: JsonValue): string {
  return printed instanceof Float64
    ? numberText({ kind: 'raw' }).of(printed.value)
    : String(printed)
}

function familyOf(plans: readonly KeyedTerms[]): KeyFamily {
  const first = typeOfKeys(plans[0]!.values)
  if (plans.every(({ values }) => typeOfKeys(values) === first)) return first
  const families = new Set(plans.map(({ values }) => typeOfKeys(values)))
  if (families.has('string'))
    throw new EngineError({
      type: 'aggregation_execution_exception',
      reason:
        `Merging/Reducing the aggregations failed when computing the aggregation [${plans[0]!.name}] ` +
        'because the field you gave in the aggregation query existed as two different types in ' +
        'two different indices',
    })
  return 'double'
}

function typeOfKeys(values: AnyValueSource): KeyFamily {
  return values.kind === 'numbers' ? values.type : 'string'
}

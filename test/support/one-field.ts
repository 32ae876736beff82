/** One field `f` of a mapping, and what its documents become. */

import { decodeInput } from '../../src/schema/completion-input.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import type { FieldType } from '../../src/schema/field-type.ts'
import { DEFAULT_MAPPING_LIMITS, type Mapping } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import { OPERATIONS } from '../../src/schema/parsed-document.ts'
import { joinHalves } from '../../src/search/query/point-value.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'

/** The parameters of a field, in wire names. */
export type Definition = Readonly<Record<string, unknown>> & { readonly type: string }

/** A mapping of the one field; every analyzer and normalizer that it may name is there. */
export function mappingOf(definition: Definition): Mapping {
  const json = JSON.stringify({ properties: { f: definition } })
  return parseMapping(parseJsonTree(encodeUtf8(json)), {
    limits: DEFAULT_MAPPING_LIMITS,
    hasAnalyzer: () => true,
    hasNormalizer: () => true,
    hasSimilarity: () => true,
  })
}

/** The field itself. */
export function fieldOf(definition: Definition): FieldType {
  return mappingOf(definition).field('f')!
}

/**
 * Reads documents `{"f": ⟨json⟩}` into texts, integers and floating-point numbers.
 * @returns a function of the value's JSON; it throws what the document is refused with
 */
export function valueReader(
  definition: Definition,
): (json: string) => readonly (string | bigint | number)[] {
  const parser = new DocumentParser(mappingOf(definition), 20)
  return json => {
    const source = encodeUtf8(`{"f":${json}}`)
    parser.parse(source, 0, source.length, '1')
    const { document } = parser
    return Array.from({ length: document.count }, (_, i) => {
      const a = document.a[i]!
      const b = document.b[i]!
      switch (document.kinds[i]) {
        case OPERATIONS.long:
          return joinHalves(a, b)
        case OPERATIONS.double:
          return document.values[i]!
        case OPERATIONS.text:
        case OPERATIONS.keyword:
          return decodeUtf8(document.source.subarray(a, b))
        case OPERATIONS.bytes:
          if (definition['type'] === 'completion')
            return decodeUtf8(decodeInput(document.scratch.subarray(a, b)).text)
          return decodeUtf8(document.scratch.subarray(a, b))
        default:
          return decodeUtf8(document.scratch.subarray(a, b))
      }
    })
  }
}

/** The innermost reason of the error that a call throws. */
export function reasonOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    const { record } = error as { record: { reason: string; causedBy?: { reason: string } } }
    return record.causedBy?.reason ?? record.reason
  }
  throw new Error('nothing was refused')
}

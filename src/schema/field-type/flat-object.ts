/**
 * `flat_object`: an object of any shape as one field. Its leaves are terms, once as the value and once
 * as `path=value`; the latter stand in a derived field.
 */
import { IllegalArgumentError } from '../../util/errors.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { LeafValues } from '../leaf-values.ts'
import type { FieldKind } from './field-kind.ts'
import type { MappedField } from './mapped-field.ts'

/** Max bytes of a term; one of as many UTF-16 units has no fewer bytes. */
const MAX_TERM = 32766

/** A field of a flat object. */
export interface FlatObjectField extends MappedField {
  readonly type: 'flat_object'
  /** Name of the derived field of paths and values. */
  readonly pathsField: string
  /** Of a search below the field: the path there. Null: the field as a whole. */
  readonly path: string | null
}

/** The field type `flat_object`. */
export const flatObject: FieldKind<FlatObjectField> = {
  parameters: [],
  isOldStyle: true,
  rules: [],
  build: (name, values) => ({
    name,
    type: 'flat_object',
    indexed: true,
    parameters: values.given,
    pathsField: `${name}._valueAndPath`,
    path: null,
  }),
  derive: field => [{ ...field, name: field.pathsField }],
  storage: () => ({
    kind: 'terms',
    indexOptions: 'docs',
    hasNorms: false,
    docValues: 'ordinals',
    normalizer: null,
  }),
  addValue(field, _ordinal, token, values) {
    if (token === JSON_TOKENS.null) return
    const kind =
      token === JSON_TOKENS.string ? 'STRING' : token === JSON_TOKENS.number ? 'NUMBER' : null
    throw values.valueError(field, token, {
      type: 'parsing_exception',
      reason:
        `[${field.name}] unexpected token [VALUE_${kind ?? values.reader.text().toUpperCase()}] ` +
        'in flat_object field value',
    })
  },
  addObject,
}

/** Adds the leaves of the object at whose start the reader stands. */
function addObject(field: FlatObjectField, ordinal: number, values: LeafValues): void {
  const { reader } = values
  const outer = reader.depth - 1
  /** By depth: the path of what stands there. */
  const paths: string[] = []
  paths[reader.depth] = ''
  const around: string[] = []
  around[reader.depth] = ''
  let token = reader.next()
  while (reader.depth > outer) {
    const { depth } = reader
    switch (token) {
      case JSON_TOKENS.name: {
        const before = around[depth]!
        paths[depth] = before === '' ? reader.text() : `${before}.${reader.text()}`
        checkLength(field, paths[depth])
        break
      }
      case JSON_TOKENS.objectStart:
      case JSON_TOKENS.arrayStart:
        around[depth] = paths[depth - 1]!
        paths[depth] = around[depth]
        break
      case JSON_TOKENS.string:
      case JSON_TOKENS.number:
      case JSON_TOKENS.true:
      case JSON_TOKENS.false: {
        const text = reader.text()
        const withPath = `${paths[depth]}=${text}`
        checkLength(field, withPath)
        values.addKeyword(ordinal, text)
        values.addKeyword(ordinal + 1, withPath)
        break
      }
    }
    token = reader.next()
  }
}

/** Here and not only where terms are kept: paths of many names would take much memory. */
function checkLength(field: FlatObjectField, term: string): void {
  if (term.length > MAX_TERM)
    throw new IllegalArgumentError(
      `Document contains at least one immense term in field="${field.pathsField}" (whose UTF8 ` +
        `encoding is longer than the max length ${MAX_TERM}), all of which were skipped.  Please ` +
        'correct the analyzer to not produce such terms.',
    )
}

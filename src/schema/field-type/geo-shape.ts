/** `geo_shape`: shapes on the Earth, kept as triangles. */
import { EngineError, toErrorRecord } from '../../util/errors.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { isLeftOrientation } from '../geo-shape/read-geo-json.ts'
import { readShape } from '../geo-shape/read-shape.ts'
import { listTriangles } from '../geo-shape/shape-triangles.ts'
import { simpleShapes } from '../geo-shape/simple-shape.ts'
import { describeNode } from '../json-conversion.ts'
import type { LeafValues } from '../leaf-values.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter, parameter } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'

/** A field of shapes. */
export interface GeoShapeField extends MappedField {
  readonly type: 'geo_shape'
  readonly docValues: true
  readonly ignoreMalformed: boolean
  /** Whether heights are passed over; else they are refused. */
  readonly ignoresZ: boolean
  /** Whether rings that are not closed are closed. */
  readonly coerce: boolean
  /** Whether shells go round their insides clockwise. */
  readonly isLeft: boolean
}

const UPDATEABLE = { updateable: true, printsDefault: true } as const

/** The field type `geo_shape`. */
export const geoShape: FieldKind<GeoShapeField> = {
  isOldStyle: true,
  parameters: [
    booleanParameter('ignore_malformed', false, UPDATEABLE),
    booleanParameter('ignore_z_value', true, UPDATEABLE),
    booleanParameter('coerce', false, UPDATEABLE),
    parameter(
      'orientation',
      'RIGHT',
      node => (isLeftOrientation(describeNode(node)) ? 'LEFT' : 'RIGHT'),
      UPDATEABLE,
    ),
  ],
  rules: [],
  build: (name, values) => ({
    name,
    type: 'geo_shape',
    indexed: true,
    parameters: values.given,
    docValues: true,
    ignoreMalformed: values.ignoreMalformed,
    ignoresZ: values.flag('ignore_z_value'),
    // By default rings stay as they are, whatever the index says of numbers.
    coerce: values.flag('coerce'),
    isLeft: values.text('orientation') === 'LEFT',
  }),
  storage: () => ({
    kind: 'shapes',
    indexOptions: 'none',
    hasNorms: false,
    docValues: 'shapes',
  }),
  addValue(field, ordinal, token, values) {
    if (token === JSON_TOKENS.null) return
    const at = { line: 1, col: 1 } as const
    add(field, ordinal, values, () =>
      token === JSON_TOKENS.string
        ? { kind: 'string', ...at, value: values.reader.text() }
        : { kind: 'boolean', ...at, value: false },
    )
  },
  addObject(field, ordinal, values) {
    const node = values.takeTree()
    add(field, ordinal, values, () => node)
  },
  // Multi-fields get nothing of shapes.
  addNode(field, ordinal, node, values) {
    add(field, ordinal, values, () => node)
  },
  textsOf: () => [],
}

/** Of a malformed shape nothing is kept. */
function add(
  field: GeoShapeField,
  ordinal: number,
  values: LeafValues,
  node: () => JsonNode,
): void {
  const triangles: Uint8Array[] = []
  try {
    const shape = readShape(node(), field)
    listTriangles(simpleShapes(shape, field.isLeft), bytes => triangles.push(bytes.slice()))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (!field.ignoreMalformed)
      throw new EngineError({
        type: 'mapper_parsing_exception',
        reason: `failed to parse field [${field.name}] of type [geo_shape]`,
        causedBy: toErrorRecord(error),
      })
    values.addIgnored(field.name)
    return
  }
  for (const triangle of triangles) values.addByteString(ordinal, triangle)
}

/** Members of `doc`, and of the values of fields. */
import { arcDistance, type Place, planeDistance } from '../../util/geo-distance.ts'
import { geohashCorner } from '../../util/geohash.ts'
import { illegalArgument, indexOutOfBounds } from '../java-faults.ts'
import { classOf } from '../painless/library/class-of.ts'
import type { ClassType, Member } from '../painless/library/class-type.ts'
import { members } from '../painless/library/members.ts'
import { valuesEqual } from '../value/equality.ts'
import { ScriptArray } from '../value/script-array.ts'
import { doubleValue, type ScriptValue } from '../value/script-value.ts'
import { unmodifiableList } from '../value/unmodifiable.ts'
import { BytesValue } from './bytes-value.ts'
import { DocFields, DocValues, unmodifiable } from './doc-values.ts'
import { FieldLookup } from './field-lookup.ts'
import { GeoPointValue } from './geo-point-value.ts'
import { VECTOR_VALUES } from './vector-values.ts'

/** Memory of an item of an array. */
const ITEM_BYTES = 8

const PACKAGE = 'org.opensearch.index.fielddata.ScriptDocValues'

/** Kinds of doc values by their Java class. */
export type DocValuesKind =
  | 'Booleans'
  | 'BytesRefs'
  | 'Dates'
  | 'Doubles'
  | 'GeoPoints'
  | 'Longs'
  | 'Strings'
  | 'UnsignedLongs'

/** Java's name of a list of values: the `className` of `DocValues`. */
export function docValuesClass(kind: DocValuesKind): string {
  return `${PACKAGE}$${kind}`
}

const FIELDS: ClassType = {
  ...classOf(
    'LeafDocLookup',
    'org.opensearch.search.lookup.LeafDocLookup',
    value => value instanceof DocFields,
  ),
  methods: members({
    'boolean containsKey(def)': (_run, doc: DocFields, name: ScriptValue) => doc.has(String(name)),
    'def get(def)': (_run, doc: DocFields, name: ScriptValue) => doc.field(String(name)),
  }),
}

const VALUES: ClassType = {
  ...classOf('ScriptDocValues', PACKAGE, value => value instanceof DocValues),
  supers: ['Collection', 'Iterable', 'Object'],
  methods: {
    ...members({
      'def get(int)': (_run, values: DocValues, index: number) => valueAt(values, index),
      'int getLength()': (_run, values: DocValues) => values.size,
      'def getValue()': (_run, values: DocValues) => values.value(),
      'int indexOf(def)': (run, values: DocValues, value: ScriptValue) => {
        for (let i = 0; i < values.size; i++) if (valuesEqual(values.at(i), value, run)) return i
        return -1
      },
      'int lastIndexOf(def)': (run, values: DocValues, value: ScriptValue) => {
        let i = values.size - 1
        while (i >= 0 && !valuesEqual(values.at(i), value, run)) i--
        return i
      },
    }),
    ...refusals(
      'add(def) add(int,def) addAll(def) addAll(int,def) clear() remove(def) removeAll(def) ' +
        'removeIf(def) replaceAll(def) retainAll(def) set(int,def) sort(def)',
    ),
  },
}

/** @throws {ScriptFault} `index_out_of_bounds_exception`, or as `value` where there is none */
function valueAt(values: DocValues, index: number): ScriptValue {
  if (values.size === 0) return values.value()
  if (index < 0 || index >= values.size) throw indexOutOfBounds(index, values.size)
  return values.at(index)
}

/** Methods of lists that doc values refuse. */
function refusals(signatures: string): Record<string, Member> {
  const refused = (): never => {
    throw unmodifiable()
  }
  return members(
    Object.fromEntries(
      signatures.split(' ').map(text => [`def ${text.replace(',', ', ')}`, refused]),
    ),
  )
}

const GEO_POINTS: ClassType = {
  ...listOf('GeoPoints'),
  methods: members({
    'double arcDistance(double, double)': (_run, values: DocValues, lat: number, lon: number) =>
      arcDistance(first(values), { lat, lon }),
    'double arcDistanceWithDefault(double, double, double)': withDefault(arcDistance),
    'double geohashDistance(String)': (_run, values: DocValues, hash: string) =>
      arcDistance(first(values), cornerOf(hash)),
    'double geohashDistanceWithDefault(String, double)': (
      _run,
      values: DocValues,
      hash: string,
      otherwise: number,
    ) => (values.size === 0 ? otherwise : arcDistance(first(values), cornerOf(hash))),
    'double getLat()': (_run, values: DocValues) => first(values).lat,
    'List getLats()': (_run, values: DocValues) =>
      places(values).map(({ lat }) => doubleValue(lat)),
    'double getLon()': (_run, values: DocValues) => first(values).lon,
    'List getLons()': (_run, values: DocValues) =>
      places(values).map(({ lon }) => doubleValue(lon)),
    'double planeDistance(double, double)': (_run, values: DocValues, lat: number, lon: number) =>
      planeDistance(first(values), { lat, lon }),
    'double planeDistanceWithDefault(double, double, double)': withDefault(planeDistance),
  }),
}

/** A distance, or what the script gives for a document without a place. */
function withDefault(distance: (a: Place, b: Place) => number) {
  return (_run: unknown, values: DocValues, lat: number, lon: number, otherwise: number): number =>
    values.size === 0 ? otherwise : distance(first(values), { lat, lon })
}

/** @throws {ScriptFault} `illegal_state_exception`: the document has none */
function first(values: DocValues): Place {
  return values.value() as GeoPointValue
}

function places(values: DocValues): Place[] {
  return [...values] as GeoPointValue[]
}

/** @throws {ScriptFault} `illegal_argument_exception` */
function cornerOf(hash: string): Place {
  const corner = geohashCorner(hash)
  if (typeof corner !== 'string') return corner
  throw illegalArgument(`unsupported symbol [${corner}] in geohash [${hash}]`)
}

const GEO_POINT: ClassType = {
  ...classOf(
    'GeoPoint',
    'org.opensearch.common.geo.GeoPoint',
    value => value instanceof GeoPointValue,
  ),
  methods: members({
    'double getLat()': (_run, point: GeoPointValue) => point.lat,
    'double getLon()': (_run, point: GeoPointValue) => point.lon,
  }),
}

const BYTES: ClassType = {
  ...classOf('BytesRef', 'org.apache.lucene.util.BytesRef', value => value instanceof BytesValue),
  methods: members({
    // A field in Java, which scripts read as `bytes` alike.
    'byte[] getBytes()': (run, { bytes }: BytesValue) => {
      run.charge(ITEM_BYTES * bytes.length)
      return new ScriptArray('byte', [...new Int8Array(bytes)])
    },
    'String utf8ToString()': (_run, value: BytesValue) => value.utf8(),
  }),
}

const VECTORS: ClassType = {
  ...classOf(
    'KNNVectorScriptDocValues',
    VECTOR_VALUES,
    value => value instanceof DocValues && value.className === VECTOR_VALUES,
  ),
  supers: ['ScriptDocValues', 'Collection', 'Iterable', 'Object'],
}

/** A list of values with the members of all of them. */
function listOf(kind: DocValuesKind): ClassType {
  const javaName = docValuesClass(kind)
  return {
    ...classOf(
      `ScriptDocValues.${kind}`,
      javaName,
      value => value instanceof DocValues && value.className === javaName,
    ),
    supers: ['ScriptDocValues', 'Collection', 'Iterable', 'Object'],
  }
}

const FIELD_LOOKUP: ClassType = {
  ...classOf(
    'FieldLookup',
    'org.opensearch.search.lookup.FieldLookup',
    value => value instanceof FieldLookup,
  ),
  methods: members({
    'def getValue()': (_run, { values }: FieldLookup) => values[0] ?? null,
    'List getValues()': (_run, { values }: FieldLookup) => unmodifiableList(values),
    'boolean isEmpty()': (_run, { values }: FieldLookup) => values.length === 0,
  }),
}

/** Classes of `doc` and of `params._fields`. */
export const DOC_CLASSES: readonly ClassType[] = [
  FIELDS,
  FIELD_LOOKUP,
  VALUES,
  GEO_POINTS,
  listOf('Booleans'),
  listOf('BytesRefs'),
  listOf('Dates'),
  listOf('Doubles'),
  listOf('Longs'),
  listOf('Strings'),
  listOf('UnsignedLongs'),
  VECTORS,
  GEO_POINT,
  BYTES,
]

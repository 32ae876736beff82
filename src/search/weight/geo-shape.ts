import type { TrianglesReader } from '../../codec/triangles/reader.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import type { ShapeComponent } from '../scorer/shape/component.ts'
import { componentOf, decodeTriangle } from '../scorer/shape/components.ts'
import { wordsOfBox } from '../scorer/shape/cover.ts'
import { Triangle } from '../scorer/shape/plane.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import { STEPS_OF_POINT } from './step-costs.ts'
import type { GeoShapeWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Triangles of one block, told at once. */
const TRIANGLES_OF_TURN = 64
/** Corners of shapes that a key of the cache may name. */
const MAX_KEY = 65536

/** Documents whose shape has a relation to another one. */
export const geoShapeWeight: WeightType<GeoShapeWeight> = {
  ...ON_ITERATORS,
  supplier: shapeSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  steps: (_node, _states, segment) => 16 * STEPS_OF_POINT * segment.maxDoc,
  setSteps: (_node, _states, segment) => 16 * STEPS_OF_POINT * segment.maxDoc,
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  cacheKey(node) {
    const shapes = JSON.stringify(node.shapes)
    return shapes.length > MAX_KEY ? null : `h${keyText(node.field)}${node.relation}${shapes};`
  },
  minUsesToCache: () => USES_OF_COSTLY,
}

/** Components are made of a weight once in each thread. */
const COMPONENTS = new WeakMap<GeoShapeWeight, readonly ShapeComponent[]>()

function componentsOf(node: GeoShapeWeight): readonly ShapeComponent[] {
  const known = COMPONENTS.get(node)
  if (known !== undefined) return known
  const components = node.shapes.map(componentOf)
  COMPONENTS.set(node, components)
  return components
}

function shapeSupplier(node: GeoShapeWeight, context: ScorerContext): ScorerSupplier | null {
  const triangles = context.leaf.triangles(node.field)
  if (triangles === null) return null
  return supplier(triangles.docCount, () => {
    const bits = related(node, triangles, context)
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

function related(
  node: GeoShapeWeight,
  triangles: TrianglesReader,
  { leaf, watch }: ScorerContext,
): BitSet {
  const components = componentsOf(node)
  const boxes = components.flatMap(({ cover }) => cover.map(wordsOfBox))
  const triangle = new Triangle()
  const found = new BitSet(leaf.maxDoc)
  const excluded = new BitSet(leaf.maxDoc)
  let steps = 0
  const read = (words: Uint32Array): Triangle => {
    if (++steps % TRIANGLES_OF_TURN === 0) watch.spend(TRIANGLES_OF_TURN * components.length)
    decodeTriangle(words, triangle)
    return triangle
  }
  const meets = (each: Triangle): boolean => components.some(one => one.meets(each))
  switch (node.relation) {
    case 'intersects':
      triangles.visitNear(
        boxes,
        (doc, words) => {
          if (!found.has(doc) && meets(read(words))) found.add(doc)
        },
        null,
      )
      return found
    case 'disjoint':
      triangles.visitNear(
        boxes,
        (doc, words) => {
          found.add(doc)
          if (!excluded.has(doc) && meets(read(words))) excluded.add(doc)
        },
        doc => found.add(doc),
      )
      break
    case 'within':
      triangles.visitNear(
        boxes,
        (doc, words) => {
          found.add(doc)
          if (excluded.has(doc)) return
          const each = read(words)
          if (!components.some(one => one.holds(each))) excluded.add(doc)
        },
        doc => excluded.add(doc),
      )
      break
    case 'contains':
      // Of several shapes each is a query of its own.
      triangles.visitNear(
        boxes,
        (doc, words) => {
          if (excluded.has(doc)) return
          const sign = components[0]!.withinSign(read(words))
          if (sign === 'candidate') found.add(doc)
          else if (sign === 'not') excluded.add(doc)
        },
        null,
      )
  }
  for (let doc = excluded.next(0); doc < leaf.maxDoc; doc = excluded.next(doc + 1))
    found.delete(doc)
  return found
}

import type { Leaf } from '../../../segment/leaf.ts'
import { arcDistance, type Place } from '../../../util/geo-distance.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import { NumberValues } from '../../scorer/number-values.ts'
import { PlaceValues } from '../../scorer/place-values.ts'
import { step } from '../explanation.ts'
import { nameAmong } from './named.ts'
import type { DecayFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

/** A shape's score by distance and its rate, which is made of scale and decay. */
interface Shape {
  rate(scale: number, decay: number): number
  score(distance: number, rate: number): number
  /** @param name the function's as its last argument, or empty */
  formula(distance: string, rate: number, name: string): string
}

const SHAPES: Readonly<Record<DecayFunction['shape'], Shape>> = {
  gauss: {
    rate: (scale, decay) => (0.5 * scale * scale) / Math.log(decay),
    score: (distance, rate) => Math.exp((0.5 * distance * distance) / rate),
    formula: (distance, rate, name) =>
      `exp(-0.5*pow(${distance},2.0)/${doubleText(-1 * rate)}${name})`,
  },
  exp: {
    rate: (scale, decay) => Math.log(decay) / scale,
    score: (distance, rate) => Math.exp(rate * distance),
    formula: (distance, rate, name) => `exp(- ${distance} * ${doubleText(-1 * rate)}${name})`,
  },
  linear: {
    rate: (scale, decay) => scale / (1 - decay),
    score: (distance, rate) => Math.max(0, (rate - distance) / rate),
    formula: (distance, rate, name) =>
      `max(0.0, ((${doubleText(rate)} - ${distance})/${doubleText(rate)}${name})`,
  },
}

/** A document's distances from the origin, offset taken off, and how each is explained. */
interface Distances {
  /** Moves to a document and returns how many it has. */
  open(docId: number): number
  of(index: number): number
  texts(docId: number): string[]
  /** Text between the mode and the list of distances. */
  readonly label: string
}

/** Falls with the distance of a document's values from an origin; 1 without values. */
export const decayFunction: ScoreFunctionType<DecayFunction> = {
  text: ({ shape, field }) => `${shape} decay function: ${field}`,
  sections: ({ field }) => [[field, 'numericValues']],
  open(of, leaf) {
    const { shape, field, scale, decay, mode } = of
    const distances = distancesOn(of, leaf)
    const { score, formula, rate } = SHAPES[shape]
    const ownRate = rate(scale, decay)
    const scoreOf = (docId: number): number =>
      score(chosen(distances, distances.open(docId), mode), ownRate)
    return {
      score: scoreOf,
      maxScore: 1,
      explain(docId, _query, name) {
        const value = scoreOf(docId)
        const texts = distances.texts(docId)
        const of = texts.length === 0 ? '0.0' : texts.join(', ')
        const text = `${mode.toUpperCase()}${distances.label}[${of}]`
        const own = step(value, formula(text, ownRate, nameAmong(name)))
        return step(value, `Function for field ${field}:`, [own])
      },
    }
  },
}

function chosen(distances: Distances, count: number, mode: DecayFunction['mode']): number {
  if (count === 0) return 0
  if (count === 1) return distances.of(0)
  const sorted = Float64Array.from({ length: count }, (_, i) => distances.of(i)).sort()
  if (mode === 'min') return sorted[0]!
  if (mode === 'max') return sorted[count - 1]!
  const sum = sorted.reduce((total, distance) => total + distance, 0)
  return mode === 'sum' ? sum : sum / count
}

function distancesOn({ field, origin, offset }: DecayFunction, leaf: Leaf): Distances {
  const reader = leaf.numericValues(field)
  const beyond = (distance: number): number => Math.max(0, distance - offset)
  if (origin.kind === 'place') {
    const values = new PlaceValues(reader)
    const { place } = origin
    const from = placeText(place)
    return {
      label: ' of: ',
      open: docId => values.open(docId),
      of: index => beyond(arcDistance(values.value(index), place)),
      texts: docId =>
        listed(values.open(docId), i => {
          const to = placeText(values.value(i))
          return `Math.max(arcDistance(${to}(=doc value),${from}(=origin)) - ${doubleText(offset)}(=offset), 0)`
        }),
    }
  }
  const values = new NumberValues(reader, origin.column)
  const { value } = origin
  return {
    label: '',
    open: docId => values.open(docId),
    of: index => beyond(Math.abs(values.value(index) - value)),
    texts: docId =>
      listed(
        values.open(docId),
        i =>
          `Math.max(Math.abs(${doubleText(values.value(i))}(=doc value) - ` +
          `${doubleText(value)}(=origin))) - ${doubleText(offset)}(=offset), 0)`,
      ),
  }
}

function placeText({ lat, lon }: Place): string {
  return `${doubleText(lat)}, ${doubleText(lon)}`
}

function listed<T>(count: number, of: (index: number) => T): T[] {
  const list: T[] = []
  for (let i = 0; i < count; i++) list.push(of(i))
  return list
}

import type { Leaf } from '../../../segment/leaf.ts'
import { arcDistance } from '../../../util/geo-distance.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import { NumberValues } from '../../scorer/number-values.ts'
import { PlaceValues } from '../../scorer/place-values.ts'
import { step } from '../explanation.ts'
import type { DecayFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

/** A shape's score by distance and its rate, which is made of scale and decay. */
interface Shape {
  rate(scale: number, decay: number): number
  score(distance: number, rate: number): number
  formula(distance: string, rate: number): string
}

const SHAPES: Readonly<Record<DecayFunction['shape'], Shape>> = {
  gauss: {
    rate: (scale, decay) => (0.5 * scale * scale) / Math.log(decay),
    score: (distance, rate) => Math.exp((0.5 * distance * distance) / rate),
    formula: (distance, rate) => `exp(-0.5*pow(${distance},2.0)/${doubleText(-1 * rate)})`,
  },
  exp: {
    rate: (scale, decay) => Math.log(decay) / scale,
    score: (distance, rate) => Math.exp(rate * distance),
    formula: (distance, rate) => `exp(- ${distance} * ${doubleText(-1 * rate)})`,
  },
  linear: {
    rate: (scale, decay) => scale / (1 - decay),
    score: (distance, rate) => Math.max(0, (rate - distance) / rate),
    formula: (distance, rate) =>
      `max(0.0, ((${doubleText(rate)} - ${distance})/${doubleText(rate)})`,
  },
}

/** A document's distances from the origin, offset taken off, and how each is explained. */
interface Distances {
  of(docId: number): number[]
  texts(docId: number): string[]
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
    const scoreOf = (docId: number): number => score(chosen(distances.of(docId), mode), ownRate)
    return {
      score: scoreOf,
      explain(docId) {
        const value = scoreOf(docId)
        const texts = distances.texts(docId)
        const text = `${mode.toUpperCase()}[${texts.length === 0 ? '0.0' : texts.join(', ')}]`
        return step(value, `Function for field ${field}:`, [step(value, formula(text, ownRate))])
      },
    }
  },
}

function chosen(distances: readonly number[], mode: DecayFunction['mode']): number {
  if (distances.length === 0) return 0
  switch (mode) {
    case 'min':
      return Math.min(...distances)
    case 'max':
      return Math.max(...distances)
    case 'sum':
    case 'avg': {
      const sorted = [...distances].sort((a, b) => a - b)
      const sum = sorted.reduce((total, distance) => total + distance, 0)
      return mode === 'sum' ? sum : sum / distances.length
    }
  }
}

function distancesOn({ field, origin, offset }: DecayFunction, leaf: Leaf): Distances {
  const reader = leaf.numericValues(field)
  const beyond = (distance: number): number => Math.max(0, distance - offset)
  if (origin.kind === 'place') {
    const values = new PlaceValues(reader)
    const { place } = origin
    const from = `${doubleText(place.lat)},${doubleText(place.lon)}`
    return {
      of: docId => listed(values.open(docId), i => beyond(arcDistance(values.value(i), place))),
      texts: docId =>
        listed(values.open(docId), i => {
          const { lat, lon } = values.value(i)
          const to = `${doubleText(lat)},${doubleText(lon)}`
          return `Math.max(arcDistance(${to}(=doc value),${from}(=origin)) - ${doubleText(offset)}(=offset), 0)`
        }),
    }
  }
  const values = new NumberValues(reader, origin.column)
  const { value } = origin
  return {
    of: docId => listed(values.open(docId), i => beyond(Math.abs(values.value(i) - value))),
    texts: docId =>
      listed(
        values.open(docId),
        i =>
          `Math.max(Math.abs(${doubleText(values.value(i))}(=doc value) - ` +
          `${doubleText(value)}(=origin))) - ${doubleText(offset)}(=offset), 0)`,
      ),
  }
}

function listed<T>(count: number, of: (index: number) => T): T[] {
  const list: T[] = []
  for (let i = 0; i < count; i++) list.push(of(i))
  return list
}

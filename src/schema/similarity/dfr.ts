import { IllegalArgumentError } from '../../util/errors.ts'
import { NORMALIZATION_KEYS, type Normalization, normalizationOf } from './normalization.ts'
import { nameOf, type SimilarityGroup, textOf } from './similarity-group.ts'
import type { SimilarityModelType } from './similarity-model-type.ts'

/** Divergence from randomness, after Amati and van Rijsbergen (2002). */
export interface Dfr {
  readonly kind: 'dfr'
  /** How unlikely a frequency is by chance. */
  readonly basicModel: (typeof BASIC_MODELS)[number]
  /** How the gain of one more occurrence falls. */
  readonly afterEffect: (typeof AFTER_EFFECTS)[number]
  readonly normalization: Normalization
}

/** Names that a setting takes, and those of models whose scores could fall as frequencies rise. */
interface Names<N> {
  readonly key: string
  /** In the order in which the real server lists them. */
  readonly names: readonly N[]
  readonly gone: readonly (string | null)[]
  /** What it is, in the words of two refusals. */
  readonly called: readonly [short: string, long: string, noun: string]
}

const BASIC_MODELS = ['ine', 'in', 'g', 'if'] as const
const AFTER_EFFECTS = ['b', 'l'] as const

const BASIC_MODEL: Names<Dfr['basicModel']> = {
  key: 'basic_model',
  names: BASIC_MODELS,
  gone: ['be', 'd', 'p'],
  called: ['BasicModel', 'Basic model', 'model'],
}
const AFTER_EFFECT: Names<Dfr['afterEffect']> = {
  key: 'after_effect',
  names: AFTER_EFFECTS,
  gone: ['no'],
  called: ['AfterEffect', 'After effect', 'effect'],
}

export const dfr: SimilarityModelType<Dfr> = {
  keys: ['basic_model', 'after_effect', ...NORMALIZATION_KEYS],
  read: group => ({
    kind: 'dfr',
    basicModel: keptName(group, BASIC_MODEL),
    afterEffect: keptName(group, AFTER_EFFECT),
    normalization: normalizationOf(group),
  }),
}

function keptName<N extends string>(group: SimilarityGroup, setting: Names<N>): N {
  const { key, names, gone, called } = setting
  const [short, long, noun] = called
  const given = textOf(group, key)
  if (gone.includes(given))
    throw new IllegalArgumentError(
      `${long} [${given}] isn't supported anymore, please use another ${noun}.`,
    )
  return nameOf(group, key, names, short, true)
}

import { EndingRules } from './word.ts'

/**
 * Ending, how many vowels the word must have more than; `*` where the consonant before it may have
 * been softened for it.
 */
const ENDINGS = (
  'ajiem3 ajai3 ajam2 ajām2 ajos2 ajās2 iem2* ajā2 ais2 ai2 ei2 ām1 am1 ēm1 īm1 im1 um1 us1* as1 ās1 es1 ' +
  'os1* ij1 īs1 ēs1 is1 ie1 u1* a1* i1* e1 ā1 ē1 ī1 ū1 o1 s0 š0'
)
  .split(' ')
  .map(text => {
    const isSoft = text.endsWith('*')
    const plain = isSoft ? text.slice(0, -1) : text
    return { ending: plain.slice(0, -1), vowels: Number(plain.at(-1)), isSoft }
  })

const GENITIVES = new EndingRules('0 kš>kst ņņ>nn')
const SOFT = new EndingRules(
  '0 pj>p bj>b mj>m vj>v šņ>sn žņ>zn šļ>sl žļ>zl ļņ>ln ļļ>ll č>c ļ>l ņ>n',
)

/** Light stemmer of Latvian after K. Krēsliņš: endings of nouns and adjectives, softening undone. */
export function stemLatvian(term: string): string {
  let vowels = 0
  for (const letter of term) if ('aeiouāīēū'.includes(letter)) vowels++
  for (const { ending, vowels: least, isSoft } of ENDINGS) {
    if (vowels <= least || term.length < ending.length + 3 || !term.endsWith(ending)) continue
    const stem = term.slice(0, -ending.length)
    if (!isSoft) return stem
    const genitive = ending.startsWith('u') ? GENITIVES.apply(stem) : stem
    return genitive === stem ? SOFT.apply(stem) : genitive
  }
  return term
}

/** Snowball's stemmer of Estonian (L. Freienthal) in its first version, which Lucene 8 has. */
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouõäöü'
const CASE_VOWELS = 'aeiuo'
const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && VOWELS.includes(letter)
const endsCaseVowel = (word: string): boolean => word !== '' && CASE_VOWELS.includes(word.at(-1)!)
const LONG_VOWEL = /([aeiouäöüõ])\1$/

/** Forms of the verbs that no rule covers, by what stands for them. */
const VERB_FORMS: ReadonlyMap<string, string> = readVerbs()

const EMPHASIS = new SuffixTable({ gi: 'gi', ki: 'ki' })
const VERB_ENDINGS = new SuffixTable({
  cut: 'nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin',
  a: 'akse',
  behindVowel: 'me da n b',
})
const NOUN_ENDINGS = new SuffixTable({
  lase: 'lasse last lane lasi',
  mise: 'misse mist mine misi',
  lise: 'lisse list line lisi',
})
const CASES = new SuffixTable({ cut: 'sse st le lt ga ks ta t s l' })
const PLURALS = new SuffixTable({ iku: 'ikkude ikke ike', sid: 'sid', te: 'te', de: 'de d' })
const DEGREES = new SuffixTable({ behindVowel: 'mai m', cut: 'ma' })
const PARTICIPLES = new SuffixTable({ cut: 'nu tu du va' })

/** Stems Estonian. */
export function stemEstonian(term: string): string {
  const verb = VERB_FORMS.get(term)
  if (verb !== undefined) return verb
  const region = findRegion(term)
  const plain = removeEmphasis(term, region)
  const stem = removeVerbEnding(plain, region) ?? removeNounEndings(plain, region)
  return undouble(stem)
}

function findRegion(word: string): number {
  let at = 0
  while (at < word.length && !isVowel(word[at])) at++
  while (at < word.length && isVowel(word[at])) at++
  return at < word.length ? at + 1 : word.length
}

function removeEmphasis(word: string, region: number): string {
  const found = EMPHASIS.find(word, region)
  const left = word.slice(0, -2)
  if (found === null || left.length < 4) return word
  const last = left.at(-1)!
  if (found.action === 'ki') return 'kptgbdshfz'.includes(last) ? left : word
  return 'cjlmnqrvwxaeiouõäöü'.includes(last) && !LONG_VOWEL.test(left) ? left : word
}

/** @returns null where the word has none */
function removeVerbEnding(word: string, region: number): string | null {
  const found = VERB_ENDINGS.find(word, region)
  if (found === null) return null
  const left = word.slice(0, -found.suffix.length)
  if (found.action === 'a') return `${left}a`
  return found.action === 'cut' || isVowel(left.at(-1)) ? left : null
}

function removeNounEndings(term: string, region: number): string {
  let word = term
  const noun = NOUN_ENDINGS.find(word, region)
  if (noun !== null) word = word.slice(0, -noun.suffix.length) + noun.action
  word = removeCase(word, region)
  word = removePlural(word, region)
  const degree = DEGREES.find(word, region)
  if (degree !== null) {
    const left = word.slice(0, -degree.suffix.length)
    if (degree.action === 'cut' || endsCaseVowel(left)) word = left
  }
  if (word.endsWith('i') && word.length - 1 >= region && endsCaseVowel(word.slice(0, -1)))
    word = word.slice(0, -1)
  return PARTICIPLES.find(word, region) === null ? word : word.slice(0, -2)
}

function removeCase(word: string, region: number): string {
  const found = CASES.find(word, region)
  if (found === null) return word
  const left = word.slice(0, -found.suffix.length)
  return endsCaseVowel(left) || LONG_VOWEL.test(left) ? left : word
}

function removePlural(word: string, region: number): string {
  const found = PLURALS.find(word, region)
  if (found === null) return word
  const left = word.slice(0, -found.suffix.length)
  switch (found.action) {
    case 'iku':
      return `${left}iku`
    case 'sid':
      return LONG_VOWEL.test(left) ? word : left
    case 'te':
      if (/(?:mis|las|lis)$/.test(left)) return `${left}e`
      if (left.endsWith('t')) return word
      return left.length < 4 ? `${left}t` : left
    case 'de':
      return endsCaseVowel(left) || LONG_VOWEL.test(left) ? left : word
  }
}

/** One k, p or t where two stand before the last vowel. */
function undouble(word: string): string {
  const last = word.length - 1
  if (!isVowel(word[last]) || !/(?:kk|pp|tt)$/.test(word.slice(0, last))) return word
  return word.slice(0, last - 1) + word[last]
}

function readVerbs(): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  const add = (stem: string, words: string): void => {
    for (const word of words.split(' ')) forms.set(word, stem)
  }
  /** Present and conditional of a verb. */
  const conjugate = (stem: string, root: string, endings: string): void => {
    add(
      stem,
      endings.replace(/\S+/g, ending => root + ending),
    )
  }
  const present = 'n d b me te vad'
  const conditional = 'ksin ksid ks ksime ksite'
  const past = 'in id i ime ite'
  add('joo', 'joomata juuakse joodakse juua jooma')
  conjugate('joo', 'joo', present)
  conjugate('joo', 'jõ', past)
  add('saa', 'saamata saadakse saadi saama saada')
  conjugate('saa', 'saa', `${present} ${conditional}`)
  conjugate('saa', 'sa', past)
  add('viima', 'viisin viisite viisime viimata viiakse viidi viima viia')
  conjugate('viima', 'vii', `${present} ${conditional}`)
  add('keesi', 'kees keemata keema keeta keedakse')
  conjugate('keesi', 'kee', `${present} ${conditional}`)
  add('löö', 'löömata lüüakse löödakse löödi lööma lüüa')
  conjugate('löö', 'löö', `${present} ${conditional}`)
  conjugate('lõi', 'lõ', past)
  add('loo', 'loomata luuakse loodi luua looma')
  conjugate('loo', 'loo', `${present} ${conditional}`)
  add('käisi', 'käis käimata käiakse käidi käia käima')
  conjugate('käisi', 'käi', `${present} ${conditional}`)
  add('söö', 'söömata süüakse söödakse söödi sööma süüa')
  conjugate('söö', 'söö', `${present} ${conditional}`)
  conjugate('söö', 'sõ', past)
  add('too', 'toomata tuuakse toodi tooma tuua')
  conjugate('too', 'too', `${present} ${conditional}`)
  conjugate('too', 'tõ', past)
  add('võisi', 'võis võimata võidakse võidi võida võima')
  conjugate('võisi', 'või', `${present} ${conditional}`)
  add('jääma', 'jäämata jäädakse jääda jääma jäädi')
  conjugate('jääma', 'jää', `${present} ${conditional}`)
  conjugate('jääma', 'jä', past)
  add('müüsi', 'müüs müümata müüakse müüdi müüa müüma')
  conjugate('müüsi', 'müü', `${present} ${conditional}`)
  conjugate('luge', 'loe', `${present} ${conditional}`)
  conjugate('põde', 'põe', `${present} ${conditional}`)
  conjugate('ladu', 'lao', `${present} ${conditional}`)
  add('tegi', 'tegemata tehakse tehti tegema teha')
  conjugate('tegi', 'tee', `${present} ${conditional}`)
  add('nägi', 'nägemata nähakse nähti näha nägema')
  conjugate('nägi', 'näe', `${present} ${conditional}`)
  return forms
}

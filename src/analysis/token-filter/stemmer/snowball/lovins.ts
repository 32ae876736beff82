/**
 * J. B. Lovins' stemmer of English (Development of a stemming algorithm, 1968): the longest of 294
 * endings whose condition holds, then doubled consonants and spelling.
 */
import { SuffixTable } from './suffix-table.ts'

/** Endings by their condition, as the paper letters them. */
const ENDINGS = {
  A:
    'arizability antialness arisations arizations entialness antaneous antiality arisation arization ativeness ' +
    'entations entiality entialize entiation ionalness istically itousness izability izational ableness arizable ' +
    'entation entially eousness ibleness icalness ionalism ionality ionalize iousness izations lessness ability ' +
    'aically alities aristic arizing ateness atingly atively ativism encible entally entials entiate entness ' +
    'fulness ibility icalism icalist icality icalize icianry ination ingness ionally isation ishness istical ' +
    'iteness iveness ivistic ivities izement oidally ousness aceous alness ancial ancies ariser arized arizer ' +
    'atable atives efully encies encing ential entist eously ialist iality ialize ically icance icians icists ' +
    'ifully ionals ioning ionist iously istics lessly nesses oidism acies acity aical alist ality alize ' +
    'arial aries arily arize aroid ately ative ators atory ehood eless elity ement enced ences ental ently fully ' +
    'ially icant ician icide icism icist icity iedly ihood inate iness ional ioned ished istic ities itous ively ' +
    'ivity oidal oides otide ously able ably ancy aric ator eful eity ence ency eous hood ials ians ible ' +
    'ibly ical iers iful ious ists less lily ness ogen ward wise yish acy aic ata ate ese ful ial ian ics ied ' +
    "ier ily ist ity ium ive oid ous ae ia ic is 's s' a e i o",
  B:
    'alistically izationally ationally alistic ational acious ancing ations aging alism anced ances arity ation ingly ' +
    'ages ally ance ants atic ions isms ying age ant ism as ly y',
  C: 'allically enting antic ented ent ish',
  D: 'ionate',
  E: 'eableness ariness elihood izable ature eness ening edly ened enly ely ene ery ed es',
  F: 'ization izers izing ized izer ary ize en',
  G: 'ication action',
  H: 'itic',
  I: 'ating idine ated ates',
  J: 'inism',
  K: 'arly',
  L: 'ides ide',
  M: 'ines ine',
  N: 'ings ing',
  O: 'ars',
  P: 'ies',
  Q: 'ion',
  R: 'one yl',
  S: 'on',
  T: 'or',
  U: 'um',
  V: 'us',
  W: 's',
  X: 'ar',
  Y: 'early ealy eal ear',
  Z: 'eature',
  AA: 'ite',
  BB: 'allic als al',
  CC: 'inity',
} as const
type Condition = keyof typeof ENDINGS

const TABLE = new SuffixTable<Condition>(ENDINGS)

/** Conditions on a stem of two letters or more. */
const CONDITIONS: Readonly<Record<Condition, (stem: string) => boolean>> = {
  A: () => true,
  B: stem => stem.length >= 3,
  C: stem => stem.length >= 4,
  D: stem => stem.length >= 5,
  E: stem => !stem.endsWith('e'),
  F: stem => stem.length >= 3 && !stem.endsWith('e'),
  G: stem => stem.length >= 3 && stem.endsWith('f'),
  H: stem => /(?:t|ll)$/.test(stem),
  I: stem => !/[oe]$/.test(stem),
  J: stem => !/[ae]$/.test(stem),
  K: stem => stem.length >= 3 && /(?:[li]|u[\s\S]e)$/.test(stem),
  L: stem => !/(?:[ux]|[^o]s)$/.test(stem),
  M: stem => !/[acem]$/.test(stem),
  N: stem => stem.length >= 4 || (stem.length === 3 && !stem.startsWith('s')),
  O: stem => /[li]$/.test(stem),
  P: stem => !stem.endsWith('c'),
  Q: stem => stem.length >= 3 && !/[ln]$/.test(stem),
  R: stem => /[nr]$/.test(stem),
  S: stem => /(?:dr|[^t]t)$/.test(stem),
  T: stem => /(?:s|[^o]t)$/.test(stem),
  U: stem => /[lmnr]$/.test(stem),
  V: stem => stem.endsWith('c'),
  W: stem => !/[su]$/.test(stem),
  X: stem => /(?:[li]|u[\s\S]e)$/.test(stem),
  Y: stem => stem.endsWith('in'),
  Z: stem => !stem.endsWith('f'),
  AA: stem => /(?:d|f|ph|th|l|er|or|es|t)$/.test(stem),
  BB: stem => stem.length >= 3 && !/(?:met|ryst)$/.test(stem),
  CC: stem => stem.endsWith('l'),
}

const DOUBLES = /(?:bb|dd|gg|ll|mm|nn|pp|rr|ss|tt)$/

/** Ending, what stands for it, and letters that it must not follow. */
const SPELLINGS: readonly (readonly [string, string, string])[] = (
  'iev>ief uct>uc umpt>um rpt>rb urs>ur istr>ister metr>meter olv>olut ul>l>aio bex>bic dex>dic pex>pic tex>tic ' +
  'lux>luc uad>uas vad>vas cid>cis lid>lis erid>eris pand>pans end>ens>s ond>ons lud>lus rud>rus her>hes>pt ' +
  'mit>mis ent>ens>m ert>ers et>es>n yt>ys yz>ys ax>ac ex>ec ix>ic'
)
  .split(' ')
  .map(text => {
    const [ending = '', replacement = '', against = ''] = text.split('>')
    return [ending, replacement, against]
  })

/** Stems English by Lovins. */
export function stemLovins(term: string): string {
  let word = term
  const found = TABLE.find(word, 2, (condition, stem) => CONDITIONS[condition](stem))
  if (found !== null) word = word.slice(0, -found.suffix.length)
  if (DOUBLES.test(word)) word = word.slice(0, -1)
  for (const [ending, replacement, against] of SPELLINGS) {
    if (!word.endsWith(ending)) continue
    const stem = word.slice(0, -ending.length)
    return stem !== '' && against.includes(stem.at(-1)!) ? word : stem + replacement
  }
  return word
}

/**
 * Stemmer of Greek (G. Ntais, Development of a stemmer for the Greek language): rules in turn, each
 * with stems that keep a part of the ending. Words come in lower case, without accents and final
 * sigma, as the Greek `lowercase` makes them.
 */
import { EndingRules, endsWithAny } from './word.ts'

const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && 'αεηιουω'.includes(letter)
const isVowelButY = (letter: string | undefined): boolean => letter !== 'υ' && isVowel(letter)

/** An ending is cut off, or part of it kept where the stem before it is one of some. */
interface Rule {
  readonly endings: EndingRules
  /** The ending behind the stem where it is an exception. */
  readonly kept: string
  /** Whole stems that are. */
  readonly stems?: ReadonlySet<string>
  /** Ends of stems that are. */
  readonly ends?: readonly string[]
  /** The last letter of a stem that is. */
  readonly last?: (letter: string | undefined) => boolean
  /** Ends and whole stems that are none all the same. */
  readonly never?: (stem: string) => boolean
  /** Only the stems that are no exceptions keep it. */
  readonly isReversed?: true
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const IRREGULAR = new EndingRules(
  '9 καθεστωτοσ>καθεστ καθεστωτων>καθεστ;8 γεγονοτοσ>γεγον γεγονοτων>γεγον καθεστωτα>καθεστ;' +
    '7 τατογιου>τατο τατογιων>τατο γεγονοτα>γεγον καθεστωσ>καθεστ;' +
    '6 σκαγιου>σκα;5 σκαγιων>σκα ολογιου>ολο ολογιων>ολο κρεατοσ>κρε κρεατων>κρε περατοσ>περ ' +
    'περατων>περ τερατοσ>τερ τερατων>τερ;6 τατογια>τατο γεγονοσ>γεγον;' +
    '5 φαγιου>φα φαγιων>φα σογιου>σο σογιων>σο σκαγια>σκα ολογια>ολο κρεατα>κρε περατα>περ τερατα>τερ;' +
    '4 φαγια>φα σογια>σο φωτοσ>φω φωτων>φω κρεασ>κρε περασ>περ τερασ>τερ;3 φωτα>φω;2 φωσ>φω',
)

const KEEPING_1: readonly Rule[] = [
  {
    endings: new EndingRules('4 αδεσ αδων'),
    kept: 'αδ',
    ends: 'οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ'.split(' '),
    isReversed: true,
  },
  {
    endings: new EndingRules('4 εδεσ εδων'),
    kept: 'εδ',
    ends: 'οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ'.split(' '),
  },
  {
    endings: new EndingRules('5 ουδεσ ουδων'),
    kept: 'ουδ',
    ends: 'αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε'.split(' '),
  },
  { endings: new EndingRules('3 εωσ εων'), kept: 'ε', stems: words('θ δ ελ γαλ ν π ιδ παρ') },
  { endings: new EndingRules('2 ια;3 ιου ιων'), kept: 'ι', last: isVowel },
  {
    endings: new EndingRules('3 ικα ικο;4 ικου ικων'),
    kept: 'ικ',
    stems: words(
      'αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ μπολ μποσ ' +
        'νιτ ξικ συνομηλ πετσ πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον φυλοδ χασ',
    ),
    last: isVowel,
  },
]

const PAST_WE = new EndingRules('7 ηθηκαμε;6 ουσαμε;5 αγαμε ησαμε ηκαμε')
const WE: Rule = {
  endings: new EndingRules('3 αμε'),
  kept: 'αμ',
  stems: words('αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ'),
}
// Some of these may leave nothing: Lucene checks the length of the first of each group only.
const PAST_THEY: Rule = {
  endings: new EndingRules(
    '8 ιουντανε;7 ιοντανε;0 ουντανε ηθηκανε;6 ιοτανε;0 οντανε ουσανε;5 αγανε;0 ησανε οτανε ηκανε',
  ),
  kept: 'αγαν',
  stems: words('τρ τσ'),
}
const THEY: Rule = {
  endings: new EndingRules('3 ανε'),
  kept: 'αν',
  stems: words(
    'βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ πολισ πορτολ ' +
      'σαρακατσ σουλτ τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ αμερικαν ουρ πιθ πουριτ σ ζωντ ' +
      'ικ καστ κοπ λιχ λουθηρ μαιντ μελ σιγ σπ στεγ τραγ τσαγ φ ερ αδαπ αθιγγ αμηχ ανικ ανοργ απηγ απιθ ατσιγγ βασ ' +
      'βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ θυσ καπνοβιομηχ καταγαλ κλιβ κοιλαρφ λιβ μεγλοβιομηχ ' +
      'μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ολογαλ πενταρφ περηφ περιτρ πλατ πολυδαπ πολυμηχ στεφ ταβ τετ υπερηφ ' +
      'υποκοπ χαμηλοδαπ ψηλοταβ',
  ),
  last: isVowelButY,
}
const PAST_YOU = new EndingRules('5 ησετε')
const YOU: Rule = {
  endings: new EndingRules('3 ετε'),
  kept: 'ετ',
  stems: words(
    'αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ εμ θαρρ θ',
  ),
  ends: (
    'οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ εκθ νετ ' +
    'ρον αρκ βαρ βολ ωφελ'
  ).split(' '),
  last: isVowelButY,
}

const KEEPING_2: readonly Rule[] = [
  {
    endings: new EndingRules('5 ιεστε'),
    kept: 'ιεστ',
    stems: words('π απ συμπ ασυμπ ακαταπ αμεταμφ'),
  },
  {
    endings: new EndingRules('4 εστε'),
    kept: 'εστ',
    stems: words('αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ'),
  },
]
const PASSIVE = new EndingRules('6 ηθηκεσ;5 ηθηκα ηθηκε')
const KEEPING_3: readonly Rule[] = [
  {
    endings: new EndingRules('4 ηκεσ;3 ηκα ηκε'),
    kept: 'ηκ',
    stems: words('διαθ θ παρακαταθ προσθ συνθ'),
    ends: 'σκωλ σκουλ ναρθ σφ οθ πιθ'.split(' '),
  },
  {
    endings: new EndingRules('5 ουσεσ;4 ουσα ουσε'),
    kept: 'ουσ',
    stems: words(
      'φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ ενδιαφερ δε ' +
        'δευτερευ καθαρευ πλε τσα',
    ),
    ends: 'ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ'.split(' '),
    last: isVowel,
  },
  {
    endings: new EndingRules('4 αγεσ;3 αγα αγε'),
    kept: 'αγ',
    stems: words(
      'αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ νομοτ ολοπ ομοτ ' +
        'προστ προσωποπ συμπ συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ κροκαλοπ σιδηροπ λ ναυ ' +
        'ουλαμ ουρ π τρ μ',
    ),
    ends: 'οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην'.split(' '),
    never: stem => stem === 'ψοφ' || stem === 'ναυλοχ' || stem.endsWith('κολλ'),
  },
  {
    endings: new EndingRules('4 ησου;3 ησε ησα'),
    kept: 'ησ',
    stems: words('ν χερσον δωδεκαν ερημον μεγαλον επταν'),
  },
  {
    endings: new EndingRules('4 ηστε'),
    kept: 'ηστ',
    stems: words('ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ'),
  },
  {
    endings: new EndingRules('6 ησουνε ηθουνε;4 ουνε'),
    kept: 'ουν',
    stems: words('ν ρ σπι στραβομουτσ κακομουτσ εξων'),
  },
  {
    endings: new EndingRules('6 ησουμε ηθουμε;4 ουμε'),
    kept: 'ουμ',
    stems: words('παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ'),
  },
]
const MATTERS = new EndingRules('5 ματων>μα ματοσ>μα;4 ματα>μα')

/** Tried where no rule before has made the word shorter. */
const PLAIN = new EndingRules(
  '9 ιοντουσαν;8 ιομασταν ιοσασταν ιουμαστε οντουσαν;' +
    '7 ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε;' +
    '6 ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε;' +
    '5 αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν;' +
    '4 αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν;' +
    '3 αει εισ ηθω ησω ουν ουσ;2 αν ασ αω ει εσ ησ οι οσ ου υσ ων;1 α ε η ι ο υ ω',
)
const COMPARISONS = new EndingRules('0 εστερ εστατ οτερ οτατ υτερ υτατ ωτερ ωτατ')

/** The stem of a word. */
export function stemGreek(term: string): string {
  if (term.length < 4) return term
  let word = IRREGULAR.apply(term)
  for (const rule of KEEPING_1) word = apply(rule, word)
  word = word === 'αγαμε' ? 'αγαμ' : apply(WE, PAST_WE.apply(word))
  word = apply(THEY, apply(PAST_THEY, word))
  word = apply(YOU, PAST_YOU.apply(word))
  word = cutParticiple(word)
  word = cutPlural(word)
  for (const rule of KEEPING_2) word = apply(rule, word)
  word = PASSIVE.apply(word)
  for (const rule of KEEPING_3) word = apply(rule, word)
  word = MATTERS.apply(word)
  if (word.length === term.length) word = PLAIN.apply(word)
  return COMPARISONS.apply(word)
}

function apply(rule: Rule, word: string): string {
  const stem = rule.endings.apply(word)
  if (stem === word) return word
  const isException =
    (rule.stems?.has(stem) === true ||
      rule.last?.(stem.at(-1)) === true ||
      (rule.ends !== undefined && endsWithAny(stem, rule.ends))) &&
    rule.never?.(stem) !== true
  return isException === (rule.isReversed === true) ? stem : stem + rule.kept
}

function cutParticiple(word: string): string {
  if (word.length <= 5 || !(word.endsWith('οντασ') || word.endsWith('ωντασ'))) return word
  const stem = word.slice(0, -5)
  if (stem === 'αρχ') return `${stem}οντ`
  return stem.endsWith('κρε') ? `${stem}ωντ` : stem
}

function cutPlural(word: string): string {
  if (word.length > 6 && word.endsWith('ομαστε')) {
    const stem = word.slice(0, -6)
    // The longer form is one of these as well, which is why Lucene never comes to it.
    return stem === 'ον' ? `${stem}ομαστ` : stem
  }
  return word
}

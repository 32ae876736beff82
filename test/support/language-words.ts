/**
 * Words that look like those of a language: random stems in its letters, then endings that its
 * stemmers know. Where Debian's snowball-data is at hand, its vocabularies are the better test; these
 * are always there.
 */
import { Draw } from './varied-strings.ts'

interface LanguageLetters {
  readonly letters: string
  readonly endings: string
}

const LATIN = 'aaeeiioubcdfghlmnprstvz'

const LANGUAGES: Readonly<Record<string, LanguageLetters>> = {
  arabic: {
    letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهويآأإةىئءؤ',
    endings: 'ال وال بال كال فال لل و ها ان ات ون ين يه ية ه ي َ ـ',
  },
  bengali: {
    letters: 'অআইউএওকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহড়ঢ়য়ািীুূেৈোৌ্ংঃঁৎ',
    endings:
      'ি\u09dfাছি ি\u09dfাছিলেন \u09dfেদের \u09dfের টা টি খানা খানি গুলি গুলো দের কে রা ের তে ছি েছিলাম াইতেছিলেন িতেছে ্য ্ব ি\u09dfা েন বেন ল লাম তাম ছে েছে বার ো ু া ী দিগকে িকে',
  },
  bulgarian: {
    letters: 'абвгдежзийклмнопрстуфхцчшщъьюя',
    endings: 'ът та то те ят ия ове еве овци ища и а о я ен на ени ище ища йте ия я ци зи си ъ',
  },
  german: {
    letters: `${LATIN}äöüßkwyjqx`,
    endings:
      'e en er es em ern st est heit keit lich isch ung end ig ik nisse nissen s ss in innen ell sch',
  },
  czech: {
    letters: `${LATIN}áéíóúůýěčďňřšťž`,
    endings:
      'atech ětem etem atům ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými em es ém ím ům at ám os us ým mi ou a e i o u ů y á é í ý ě ov in ův čt št c č z ž ek ůl',
  },
  english: {
    letters: 'aaeeiioubcdfghklmnprsttvwxyz',
    endings:
      "'s s' ational tional enci izer ably alism iveness fulness ousness biliti logi icate ative alize iciti ical ful ness ance ement ment ent ion ism ate ous ive ize eed ed ing ly s es ies sses y e alistically izationally antialness ionate enting izable ature ication itic ating idine inism arly ides ine ings ars ion one yl on or um us ar ear eature ite allic al inity iev uct umpt rpt urs istr metr olv ul bex dex ax ex ix uad cid end ond her mit ent ert et yt yz ll tt bb",
  },
  dutch: {
    letters: 'aaeeiioubcdfghjklmnprstvwxyz',
    endings:
      "ge 's s ies es ares eres aus en heden nden den ien ijen nde je 'tje etje rntje tje inkje mpje ge lijke ische de te se re le ene ieve atie iteit heid sel ster rder ing isme erij arij fie gie tst dst ioneel atief baar naar laar raar tant lijker lijkst achtig achtiger eriger erig end iger igst ig kt ft pt bb v z ij ya yo d t",
  },
  lithuanian: {
    letters: 'aeiouyąęįųėūbčdgjklmnprsštvzž',
    endings:
      'as ias is ys o io iui ą ių ams iams uose iuosna asis aisi ųsi ios ioje omis iose ė ės ei ęs ėjo ėmis aus umi iau ūs ums ies eniui enį imis enyse amės iatės itės otės siuosi sime čiau tumėte tų k kimės uoti iauti inėti telėti ti ąs sitės kite ing išk ėt iuot iuk ėl učiuk uliuk zgan op ykšč esn aj iaj iej dav ant siant dam auj jam am aite aitės uotės ėjime esiu asius avime ojime okatės gd dž č',
  },
  estonian: {
    letters: 'aaeeiioouuõäöüdghjklmnprsštvzž',
    endings:
      'gi ki nuksin ksin ksime mata takse daks akse sime site sin me da n b i lasse last lane lasi misse mist mine misi lisse list line lisi sse st le lt ga ks ta t s l ikkude ikke ike sid te de d mis las lis mai ma m nu tu du va kk pp tt kka tte aa ee õõ joo saa',
  },
  galician: {
    letters: `${LATIN}áéíóúñçx`,
    endings:
      'ns ós ões ais áis éis eis óis ois ís is les res ces zes ises ás ses s íssimo aço aça uça lhar lher mente íssima ísimo ciño ito iño azo arra ouzo izón dade encia mento ción able ante ista ismo aría eiro eira ura al ar er ir ando endo ara era ira aba ía ou eu iu amos emos imos o a e',
  },
  greek: {
    letters: 'αβγδεζηθικλμνξοπρστυφχψω',
    endings:
      'αδεσ αδων εδεσ ουδεσ ουδων εωσ εων ια ιου ιων ικα ικο ικου ικων αμε ηθηκαμε ουσαμε αγαμε ησαμε ηκαμε ιουντανε ιοντανε ουντανε ηθηκανε ιοτανε οντανε ουσανε αγανε ησανε οτανε ηκανε ανε ησετε ετε οντασ ωντασ ομαστε ιομαστε ιεστε εστε ηθηκεσ ηθηκα ηκεσ ηκα ηκε ουσεσ ουσα αγεσ αγα αγε ησου ησε ησα ηστε ησουνε ουνε ησουμε ουμε ματων ματοσ ματα ιοντουσαν οντουσαν ιουνται ομουνα ονται ειτε ουν ουσ αν ασ ει οσ ων εστερ οτατ υτερ ωτατ τρ τσ χ μ αρχ κρε ον π τ',
  },
  armenian: {
    letters: 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
    endings:
      'ական ային անալ ացնել եցինք եց ություն ությամբ ներից ներով ներում երը երից ին ով ում ը ն ի',
  },
  basque: {
    letters: LATIN,
    endings:
      'aren arekin etako etan etatik entzat ari era tasun tzaile keria garri ketan dun ño tik ko ra a ak ek en',
  },
  catalan: {
    letters: `${LATIN}àèéíòóúüç·`,
    endings:
      "aments ament ció cions itzar isme ista able ible ar er ir ava aven essin ada ades it ida l' d' s es a e i o",
  },
  danish: {
    letters: `${LATIN}æøå`,
    endings:
      'erendes hedens ernes endes heds enes erne ende hed ene er en et s e igst lig els løst gd dt gt kt',
  },
  finnish: {
    letters: 'aaeeiioouuyyäöhjklmnprstv',
    endings:
      'kin kaan kään ko kö han hän pa pä sti nsa nsä mme nne si ni an än en ssa ssä sta stä lla llä lta ltä lle na nä ksi ine ta tä tta ttä den tten seen siin hon hen n mpi mpa mma eja ejä i j t dellinen dellisuus nnen ntena eiden neen niin teen inen hde',
  },
  french: {
    letters: `${LATIN}éèêàâôûîçqxj`,
    endings:
      'issement issant ement ivement ficatrice ficateur catrice cateur atrice ateur trice ième teuse teur euse ère ive folle molle nnelle nnel ète ique esse inage isation isateur ation ition aux eux x s es er ez ant ais ait ions iez amment emment ité logie ence ances ie ée',
  },
  hungarian: {
    letters: `${LATIN}áéíóöőúüűõûgyk`,
    endings:
      'kent nak nek val vel ért ról ről ban ben ból nál hoz tól tõl at et ot va ve ra re ba be ul ig on en t n a e atok otok etek itek unk tok juk ink am em om ad uk nk ja je im id ik m d i ak ok ek k o ák ék ünk ének éi áké éé stül ssal llal',
  },
  indonesian: {
    letters: 'aaeeiiouubcdfghjklmnprstwy',
    endings: 'kan an i kah lah pun ku mu nya si meng peny ber',
  },
  irish: {
    letters: 'aaeiouáéíóúbcdfghlmnrst',
    endings:
      'eacht acht anna íochta aithe imid ófar adh idh ann inn igh ach ín í h- n- t- bhf gc dt mb',
  },
  italian: {
    letters: `${LATIN}àèéìòù`,
    endings:
      "azione azioni amente mente ità ismi ista anza ico ica abile oso trice logia enza are ere ire ando endo gliene mela ava ivano erò irà i a e o ie io ia he hi l' all' dell'",
  },
  norwegian: {
    letters: `${LATIN}æøå`,
    endings:
      'heter heten heita heiter leiken leikar dom het heit semd leik elser elsen ende ande else este aste eren aren ere are est ast ene ane er en et ar st te a e n s hetenes leg lov slov vt dt',
  },
  romanian: {
    letters: `${LATIN}ăâîşţșț`,
    endings:
      'ului iilor ilor elor ele ea iei ii ul uri abilitate ibilitate ivitate aţiune icală istă ism uri ează eşte ând ind ară iră ui ă e i a',
  },
  russian: {
    letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
    endings:
      'иями оями иям иях оях ями ами его ему ери ими ого ому ыми оев ая яя ях юю ах ею их ия ию ою ую ям ых ея ам ем ей ем ев ий им ое ой ом ов ые ый ым ми а е и о у й ы я ь вшись ывшись ейте уйте ила ость ейше нн',
  },
  spanish: {
    letters: `${LATIN}áéíóúüñ`,
    endings:
      'amientos imiento adoras aciones logías ución encias amente mente idades iva eses ces es os as a o e aríamos iésemos ándose iendo selos gue í',
  },
  swedish: {
    letters: `${LATIN}åäö`,
    endings:
      'elser heten arne erna ande else aste orna aren are ast het ar er or en at te et t a e n s heterna andet fullt löst lig els ig',
  },
  turkish: {
    letters: 'aaeeıiiooöuüübcçdfgğhjklmnprsştvyzİI',
    endings:
      "lar ler ların dan den da de la le ya ye nın nin ı i sı si ım im ınız lık ki mış miş dır casına ken cesine yım sın 'nın 'da",
  },
  hindi: {
    letters: 'अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंँ़ृ',
    endings:
      'ो े ू ु ी ि ा कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां ाएंगी ाएंगे ाऊंगी ाऊंगा',
  },
  latvian: {
    letters: `${LATIN}āčēģīķļņšūž`,
    endings:
      'ajiem ajai ajam ajām ajos ajās iem ajā ais ai ei ām am ēm īm im um us as ās es os ij īs ēs is ie u a i e ā ē ī ū o s š kš ņņ pj bj šņ žņ šļ žļ ļņ ļļ č ļ ņ',
  },
  cjk: {
    letters: '一二三四五六七八九十ひらがなカタカナハンガル한글조선말ａｂｃＡ１ｱｲｳﾞab',
    endings: 'the and ・ 。 々 ー ｶﾞ',
  },
  indic: {
    letters: 'अआइउएओािुेोॅॆैक़खगजड ঢদনফযরড়অাে্ৗ ਅਆੲੳਾਿੀੁੂੇੋਖ਼ਗਜਫ અાેૅૈૉ ଅଏଓାୗେଡଢ଼ உஒொோௗெ ఒఅౌౕవుబుె ಒೌೀೊೊ ഇഉഎഒാൗെേണനരലള്',
    endings: '\u200d ् ़ ൗ െ ു ా ು ੁ ્',
  },
  thai: {
    letters: 'กขคงจฉชซญดตถทนบปผพฟมยรลวสหอะาิีึืุูเแโใไ่้๊๐๑๒',
    endings: 'การ ความ ที่ และ เป็น ไม่ กิน ข้าว คน ไทย ประเทศ',
  },
  brazilian: {
    letters: `${LATIN}áâãéêíóôõúçñü`,
    endings:
      'uciones imentos amentos adoras logias encias amente idades acoes ismos istas logia mente idade acao icos osos ivas eiras eza issemos ariamos iremos avamos asseis armos istes aria asse este arei aram ando adas ira iam ado ear ia ei am ar as iu ou os guê cie e - "',
  },
  portuguese: {
    letters: `${LATIN}áâãéêíóôõúç`,
    endings:
      'ns ões ães ais éis eis óis is les res s mente ona ã ora na inha esa osa íaca ica ada ida ída ima iva eira díssimo abilíssimo íssimo ésimo érrimo zinho quinho uinho adinho inho alhão uça aço adão idão ázio arraz zarrão arrão anzil zão ão ência amento encialista agem iamento mento alizado atizado tizado izado ativo ista idade logia eza uciones ucion imentos adores encias amente idades issemos ariamos aremos avamos asseis armos istes aria asse este arei aram ando indo adas ira guê gue cie os a i o e',
  },
  persian: {
    letters: 'ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیكيۀہۓ',
    endings: 'ها های ان ات تر ترین ی ۀ',
  },
  scandinavian: { letters: 'aaoeÄÖäöåÅæÆøØAOEkrn', endings: 'aa ae ao oe oo AA Ae aO Oe oO Å' },
  serbian: {
    letters: 'абвгдђежзијклљмнњопрстћуфхцчџшdđžćčšnj',
    endings: 'а е и о у ов ама dj lj nj',
  },
  sorani: {
    letters: 'ابپتجچحخدرڕزژسشعغفڤقکگلڵمنوۆهیێەيىكةھ\u200c\u0640',
    endings: 'ەکە ەکان ێک انم یەکەیان ی ان مان تان یان م ت ێ ە ەوە دا و ه\u200c',
  },
}

/** Texts of a few words each. */
export function languageStrings(language: string, count = 1000): readonly string[] {
  const { letters, endings } = LANGUAGES[language]!
  const draw = new Draw(language.length * 7919 + language.charCodeAt(1))
  const letterList = Array.from(letters.replaceAll(' ', ''))
  const endingList = endings.split(' ')
  const texts: string[] = []
  for (let i = 0; i < count; i++) {
    let text = ''
    for (let words = draw.below(4); words >= 0; words--) {
      let word = ''
      for (let length = draw.below(8); length > 0; length--) word += draw.of(letterList)
      for (let count = draw.below(4); count > 0; count--) word += draw.of(endingList)
      text += (text === '' ? '' : ' ') + word
    }
    texts.push(text)
  }
  return texts
}

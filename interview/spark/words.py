"""Common English words that the tokenizer keeps whole; data only."""

_WORDS = """
able about above across act add after again against age ago agree air all allow almost
alone along already also although always among amount and animal another any appear
apple are area arm army around art ask away baby back bad ball bank base battle beat
beautiful became because become bed been before began begin behind being believe below
best better between big bill bird black blood blue board boat body bone book born both
bottom box boy branch bread break bridge bright bring broad broken brother brown build
built burn bus business busy but buy call came camp can cannot car card care carry case
cat catch caught cause cell center century certain chair chance change character charge
check child children choose church circle city class clean clear climb clock close cloud
coast coat cold collect color come common company compare complete condition consider
contain continue control cook cool copy corn corner correct cost cotton could count
country course cover create cross crowd cry current cut daily dance danger dark day dead
deal dear death decide deep desk detail develop device did die differ different
difficult dinner direct discuss distance divide doctor does dog done door double doubt
down draw dream dress drink drive drop dry during dust each early earth east easy eat
edge egg eight either else end enemy energy engine engineer enjoy enough enter equal
error even evening event ever every exact example except excite expect experience
explain eye face fact fair fall family famous far farm fast father favor fear feed feel
feet fell few field fight figure fill final find fine finger finish fire first fish fit
five flat floor flow flower fly follow food foot for force foreign forest forget form
forward found four free fresh friend from front fruit full fun game garden gas gather
gave general gentle get gift girl give glad glass goes gold gone good got govern grand
grass great green ground group grow guess guide had hair half hand happen happy hard has
hat have head health hear heard heart heat heavy held hello help her here high hill him
his history hit hold hole home hope horse hospital hot hour house how huge human hundred
hunt ice idea imagine inch include increase indicate industry inside instead interest
into iron island its job join joy judge jump just keep kept key kill kind king kitchen
knee knew know lady lake land language large last late laugh law lay lead leaf learn
least leave left leg length less let letter level lie life lift light like line lip list
listen little live log long look lost lot loud love low machine made main major make man
many map mark market mass master match material matter may mean measure meat meet member
memory men mention metal method middle might mile milk million mind mine minute miss mix
modern moment money month moon more morning most mother motion mountain mouth move much
music must name nation natural nature near necessary neck need never new next night nine
noise none noon nor north nose not note nothing notice now number object observe ocean
off offer office often oil old once one only open operate opposite order other our out
over own oxygen page pain paint pair paper parent park part particular party pass past
path pattern pay pen people perhaps period person picture piece place plain plan plane
planet plant plate play please plenty point poor position possible post pound power
practice prepare present press pretty price print problem process produce product
program promise proper protect prove provide public pull push put queen question quick
quiet quite race radio rain raise ran range rate rather reach read ready real reason
receive record red region remain remember repeat reply report represent require result
return rice rich ride right ring rise river road rock roll roof room root rope rose
round row rule run safe said sail salt same sand save saw say scale school science sea
search season seat second section see seed seem select self sell send sense sent
sentence separate serve set settle seven several shall shape share sharp she ship shoe
shop short should shoulder shout show side sight sign silent silver similar simple since
sing single sister sit six size skill skin sky sleep slow small smell smile snow social
soft soil soldier solution solve some son song soon sound south space speak special
speech speed spell spend spoke spring square stand star start state station stay steam
steel step stick still stone stood stop store storm story straight strange stream street
strong student study subject such sudden sugar suit summer sun supply support sure
surface surprise swim system table tail take talk tall task teach team tell ten term
test than thank that their them then there these they thick thin thing think third this
those though thought thousand three through thus tie time tiny tire together told tone
too took tool top total touch toward town track trade train travel tree triangle trip
trouble truck true try tube turn twenty two type under unit until upon use usual valley
value vary very view village visit voice wait walk wall want war warm was wash watch
water wave way wear weather week weight well went were west what wheel when where
whether which while white who whole whose why wide wife wild will win wind window wing
winter wire wish with without woman women wonder wood word work world would write wrong
year yellow yes yet you young your
answer attention batch block budget byte cache chunk client compute decode delay
experts generate head hello inference input key kernel latency layer length limit load
median memory model network output parameter prefill prefix prompt queue request
response sample schedule scheduler seconds server short stream throughput token tokens
tokenizer users values weights
cent coal cream cup degree ear hall meal rest stage tea tooth wine
"""

COMMON = tuple(_WORDS.split())

/**
 * Frequent passwords, in lower case and without leading and trailing digits and symbols. From the list of zxcvbn (MIT,
 * Dan Wheeler and Dropbox), which counts leaked passwords.
 */
export const FREQUENT_PASSWORDS: ReadonlySet<string> = new Set(
  `
a1s2d3f4g5h a2s3d4f5g6h aaa aaaa aaaaa aaasss aaliyah aardvark aaron abacab abacus abc abcd abcdefg aberdeen
abgrtyu abnormal abracadabra abrakadabra absolut abstr acapulco access accord achilles achtung acidburn
acmilan action acura adam adgjmp adgjmptw adidas admin adminadmin administrator adonis adrenalin adriano
advent aezakmi afrika agent aggies aikido aikman airborne airbus airforce airman airplane airwolf aisan ajax
akira alabama aladin alain alaska albany albatros albion alcatraz alchemy alejandr aleksandr aleksandra
aleksei aleksey alenka alessandro alex alexande alexander alexandr alexandre alexey alexi alexis alexxx alfa
alibaba alice aliens alinka allday allegro allen alleycat allison allmine allsop allstar aloha alpha
alphabet alpine altair alterego altima altoids alucard amadeus amadeusptfcor amand amanda amateur amateurs
amatory amature amazon amber ambers ambrosia amelie americ america amerika amethyst amiga amigo amigos
amorcit amore amstel amsterda amsterdam an83546921an anaconda anai anakin anal analsex ananas anarchy
anastasi anastasiya andrea andrei andrew andrewjackie andrey andromed andromeda andyod anfield angel angela
angels angelus angus anhyeuem animal anime annie antananarivu antares antelope anthon anthony anthrax antoni
anubis aol aolsucks apache apollo apple applepie apples apricot april aprilia aptiva aquarius aragorn aramis
arcadia archange area argentin aries arizona arjay armada armagedon armani armstron arrow arrows arsena
arsenal artem artemis artemka artur asd asdasd asddsa asdf asdfasdf asdffdsa asdfg asdfgh asdfghj asdfghjk
asdfghjkl asdfghjklqwertyuiop asdfjkl asdfqwer asdfzxcv asdqwe asdzxc asgard ashle ashley asians asimov
aspen aspire aspirine assasin assassin assfuck asshole assholes assman asswipe assword asterix astra astral
astro astros athlon athome atlanta atlantis atomic atticus attila auburn auckland audi audia auditt auggie
aussie austin australi autumn avalanch avalon avatar avenger aviator avrillavigne awesome awnyce azamat
azazel azert azerty azertyui azertyuiop azrael azsxdc azsxdcfv aztnm azzer babe baberuth babes baboon baby
babybear babyblue babyboy babycake babydoll babyface babygirl babylon babylove bacardi bacchus backbone
backdoor badass badboy baddog badger badgers badgirl badman baggins baggio bagira bagpuss bahamut bailey
baller ballin balloon balloons balls ballsack baltimor bama bambam bamboo banan banana bananas banane bandit
bang banger bangkok banker banner banshee banzai baracuda barbados barbie barcelon barcelona barefeet
barefoot barfly baritone barkley barley barney barry barselona barsik bartman basebal baseball basket
basketba basset bassman bastard batman bauhaus baura bayern bball bbking bcfields bdsm beach beaches beagle
beaker beamer beaner beanie bear bearcat bearcats beardog beast beastie beater beatle beatles beautifu
beauty beaver beavis becca beckham bedlam beech beefcake beemer beer beerman beethove beetle beezer begemot
behappy belkin bella bellagio belmont bendover benessere benfica beng bengals benjami benny beowulf beretta
bergkamp berlin bestbuy bettyboo bgates bhbirf bian biao biatch bicycle bigal bigass bigballs bigbang
bigbear bigben bigbird bigblack bigblock bigblue bigbob bigboobs bigbooty bigboss bigboy bigbutt bigcat
bigcock bigdaddy bigdawg bigdick bigdicks bigdog bigfish bigfoot biggie biggles biggun bigguns bigguy
bighead bigjohn bigmac bigman bigmike bigmoney bigone bigones bigpimp bigpoppa bigred bigsexy bigtime bigtit
bigtits bigtruck biit biker bikini bilbo billabon billy billybob billyboy bimbo bimmer bing bingo binladen
biohazard bird birddog birdie birdman biscuit bismarck bismark bismillah bitch bitchass bitches bitchy
biteme bizkit blabla black blackberry blackbir blackbird blackcat blackdog blackhaw blackhawk blackie
blackjac blackjack blacklab blackout blacks blacky blade blades blahblah blake blam blaster blaze blazer
bleach blessed blessing blink blinky blitz blizzard blobby blonde blondes blondie blowfish blowjob blowme
bltynbabrfwbz blubber blue blueball bluebell blueberr bluebird blueboy bluedog blueeyes bluefish bluejay
bluejays bluemoon blues bluesky bluesman blunts bmw boater boating bob bobafett bobby bobcat bobdole
bobdylan bobmarley boeing bogart bogdan bogey bohica boiler bolitas bollocks bollox bologna bombay bomber
bombers bonanza bond bondage bonehead boner bones bongo bonjour bonjovi bonkers bonsai boob boobear boobie
boobies booboo boobs booger boogie bookie bookworm boomboom boomer booster bootie boots bootsie bootsy booty
bootys booyah boozer borabora bordeaux boricua boroda borussia bosco bossman boston boulder bounce bouncer
bounty bowler bowling bowtie bowwow boxcar boxer boxers boxing boxster boy4u2ownnyc boytoy boyz bozo
bpgjldsgjldthnf bradley bramble brando brandon brandy brasil braves brazil breaker breast breasts breeze
bremen brest brian bricks brighton bristol britney brodie broker bronco broncos brooklyn brown brownie
browns bruce brucelee bruins bruiser bruno brutus bubba bubbas bubble bubbles buceta bucket buckeye buckeyes
buckshot bucky budapest buddah buddha buddie buddy buddyboy budgie budlight budman budweise budweiser
buffalo buffet buffett buffy bugger builder bukkake bukowski bull bulldog bulldogs bullet bullfrog bulls
bullseye bullshit bumble bummer bumper bunghole bungle bunnies bunny burger burner burnout burrito bushido
businessbabe buste buster busty butch butkus butter buttercu buttercup butterfl butterfly buttfuck butthead
butthole buttman buttons buzzard buzzer bynthytn byteme cabbage cabernet cabron cactus cadillac caesar cafc
calgary calibra calico caliente californ caligula calimero callisto callum calvin camaro camaross camber
cambiami cambridg camden camel camelot camels cameltoe camero cameron camil camper canada cancer cancun
candle candy candyass candyman cang cannabis cannibal canon cantona canuck canucks capcom capecod capetown
capitals capone capricor capricorn capslock captain caracas caramel caravan cardinal carebear carlito
carlitos carlos carmex carnage carnival carolina carpedie carpente carpet carrera carrot carrots cartman
cartoon cartoons casanova caserta casey cashflow cashmone cashmoney casino casio casper cassandr cassie
caster cat catch catcher catdog catfish catherin catman catnip cats catwoman cavalier caveman cayman cbr
ccbill cdtnbr cdtnkfyf ceasar celeb celeron celica celine celtic celtics cement ceng cent cerberus cessna
cevthrb cfitymrf cgfhnfr chachi chai chainsaw challeng champ champion champs changeme chao chaos chappy
charger chargers charisma charle charles charli charlie charlott charlton charly charmed charon chase chaser
cheater checker checkers cheddar cheech cheeks cheeky cheerleaers cheers cheese cheetah chelle chelse
chelsea chemist cherokee cherries cherry cheshire chessie chester chevelle chevrole chevrolet chevy chevys
chewie chewy cheyenne chiara chicago chichi chicken chickens chickenwing chicks chico chiefs chilli chillin
chilly chimera chinook chipmunk chipper chippy chivas chloe chocha chocolat choochoo chopin chopper chou
chris chrisbln chriss chrissy christ christia christin christma christop christopher chrome chronic chrono
chrysler chuai chuang chubby chuckie chuckles chucky chui chunky chuo ciccio cicero cigars cinder cindy
cinnamon cirrus citadel citroen civicsi cjdthitycndj cjkysirj cjkywt clancy clapton clarinet classic
classics claudi claudia claymore clemson cleopatr clevelan climax climber clipper clippers clips clit
clitoris cloud clouds cloudy clover clovis clowns clutch cnfybckfd cobain cobalt cobra cobras cocacola
cocaine cock cocker cocks cocksuck cocksucker coconut codered coffee cohiba coke cola coldbeer coldplay
collie colnago colombia colorado colors colt coltrane comanche combat comein comet commande commando
companypassword compaq compass compute computer conan concord concorde concrete condom condor cong connect
connor consumer contortionist contra cookie cookies coolcat cooldude cooler coolguy coolhand coolio coolman
coolness cooper coors cooter copenhag copper corleone corndog corolla corona corperfmonsy corrado
correcthorsebatterystaple corsair corvette cosmic cosmo cosmos cosworth cougar cougars counterstrike
coventry cowboy cowboys cowgirl coyote cracker cramps crazy crazybab creampie creamy creative crescent
cricket crimson critter crjhgbjy cruise cruiser crunch crusader crusher crusty crysis crystal cthtuf cthulhu
cthutq ctrhtn cuan cubbies cubs cubswin cucumber cuddles cuervo culinary cumm cumming cumshot cumslut cunt
cunts cupcake cupoi curious custom cutiepie cutlass cutter cvthnm cxfcnmt cyber cyborg cyclone cyclones
cyclops cygnus cygnusx cypher cypress cyrano d8cd98f00b dabears dabomb daddy daddyo daemon daewoo dagger
daisy daisydog dakota dalejr dallas dalshe daman dammit damnit dan dancer dang danger danie daniel daniil
danila dank danni danny dannyboy danzig daredevi darina darkange darkangel darklord darkman darkness darkone
darkside darkstar darthvad datsun david davide davids davinci dawg daytona dbnfkbr dbrnjh dbrnjhbz deadhead
deadman deadpool death deathnote december deejay deepthroat deerhunt deeznuts deeznutz default
defaultpassword defender defiant deftones dejavu delete delfin delight delphi delpiero delta deluxe demo
demon denali deng deniro deniska depeche derf derparol desert designer desire deskjet desktop destin destiny
detroit deutsch devil devildog devilmaycry devils devo dexter dfcbkbcf dfcbkbq dfkthbz dfkthf dfktynby
dfktynbyf dfvgbh dfytxrf dharma diablo dialog diamon diamond diamonds diana diao diaper dick dicker dickhead
dickie dicks dicky diehard diesel dietcoke dieter digger diggler digimon digital digitalprodu dilbert dildo
dilligaf dima dimas dimitri dimples dinamo dinara dindom ding dingdong dingo dinosaur dipper dipset dipshit
dirtbike dirty disco discover discus disney diva diver divine dixie django djivanfros dkflbckfd dkflbr
dkflbvbh dkflbvbhjdbx dkflbvbhjdyf dmitriy dnsadm doberman doctor dodge dodger dodgeram dodgers dog dogbert
dogbone dogboy dogcat dogface dogfood dogg dogger doggie doggies doggy doghouse dogman dogpound dogs dogshit
dogwood doit doitnow doktor dolemite dollar dolphin dolphins domainlock dominik dominion dominiqu domino
donjuan donkey donna donner dontknow donuts doobie doodle doofus doogie dookie doomsday dortmund dotcom
doubled douche dougal doughboy dougie draco dracula drago dragon dragonba dragonball dragonballz dragonfl
dragons dragoon dragster drakon draven dreamcas dreamer dreams dresden drifter driller driver drizzt droopy
drowssap drpepper drummer dthjybrf dtkjcbgtl duan dublin ducati duchess duck duckie duckman ducks dudeman
duffer duffman dumbass dundee dungeon durango duster dusty dutchess dylan dynamite dynamo eagle eagles
earnhard earthlink eastside eastwood eatme eatmenow eatpussy eatshit eclipse eddie eduard edward eeyore
egghead eggman eggplant egorka einstein ekaterina elcamino eldorado electra electric electro electron
elefant element elephant elisabet elizabet elizaveta elvis elvisp elway emerald emily eminem empire encore
enforcer engage engineer england enigma enrico enter enterme enternow enterpri enterprise entropy epsilon
eraser erection ericsson erotic erotica ers escalade escort eskimo espana espresso esquire estrell eternal
eternity eureka europa evangelion ever everest everlast everton evgeniy evolutio ewq excalibu excalibur
excite exigen exigent exodus exotic explorer express extreme fabie fabienn fabio fabric facial faggot
fairlane faith falcon falcons fallen fallout fandango fang fantasia fantasy fantomas farmboy farscape
farside fart fastball faster fatass fatboy fatcat fatman fatty favorite fduecn fearless feather feathers
february feelgood felix fellatio fender feng fenris fenway fergie fergus fernand ferrari ferret fester
festus fetish fghtkm fgtkmcby ficken fiddle fidelio fidelity fiesta figaro fighter filter finalfantasy
finder finger fire fireball firebird fireblad firefigh firefly firefox fireman firenze firewall fish
fishbone fisherman fishes fishhead fishin fishing fishon fishtank fisting fitness fitter fkbyjxrf
fkmnthyfnbdf fktrcfylh fktrcfylhf fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf fktrctq fktyrf flamengo flames
flamingo flanker flash flasher flatron fletch flexible flicks flipflop flipper floppy florian florida
flounder flower fluff fluffy flvbybcnhfnjh flyboy flyer flyers flyfish foobar footbal football footjob fordf
forest foreve forever forfun forgetit forlife formula forsaken fortuna foryou fossil fosters foxtrot foxy
foxylady franc francesc francisc frank frankie franky freaks freaky freckles freddy frederik frederiksberg
freebird freedo freedom freee freefall freepass freeporn freesex freeuser freeway frenchy friday friendster
fright frisbee frisco frisky frodo frog frogger froggy frogman frogs front frontier frosch frosty fruity
fubar fuck fucked fucker fuckers fuckface fuckhead fuckher fucking fuckinside fuckit fuckme fuckoff
fucktheworld fuckthis fucku fuckyo fuckyou fuckyoubitch fugazi fujitsu fukkc fulham fullmoon fungus funky
funstuff funtime furball fusion fussball futbol futurama fuzzy fyfcnfcbz fyfnjkbq fylhtq fynfyfyfhbde fytxrf
fyutkbyf fyutkjxtr gabber gabrie gabriel gabriell gadget gaell gagged gagging galant galaxy galina gallaries
galore gambit gambler gameboy gamecock gamecube gameover gamma gandalf ganesh gangbang gangsta gangster
ganja gannibal garden gareth garfield gargoyle garion gasman gateway gatit gator gatorade gators gatsby
gawker gbhfvblf gbpltw geezer gegcbr geheim gemini generic genesis geng genius georg george gerbil geronimo
gerrard gesperrt getmoney getoff getout getsome gfhjkm gfhjkmgfhjkm ghbdtn ghbdtnbr ghbdtnghbdtn
ghbdtnrfrltkf ghblehjr ghbrjk ghbywtccf ghetto ghhh47hj ghjcnbnenrf ghjcnj ghjcnjgbpltw ghjcnjgfhjkm
ghjcnjghjcnj ghjcnjnfr ghjcnjq ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt ghjuhfvvf ghost ghostrider
gianluca gianni giants gideon gigabyte giggle giggles gilles ginger giorgi giorgio giraffe girlie girls
giulia gizmo gizmodo gizzmo gjkbyf gjkysqgbpltw gladiato gladiator glamour glitter globus glock gmoney
goalie goat goaway gobears goblin goblue gobucks gocubs godbless goddess godfathe godfather godlike godsmack
godzilla gofast gofish goforit gogators gohome goirish goku golden goldeney goldeneye goldfing goldfish
goldstar goldwing golf golfball golfer golfgti golfing golfpro goliath gollum gonavy gong gonzo goober good
goodboy goodday goodgirl goodie goodluck goodtime goodyear goofy google gooner goose gopher gordo gordon
gorilla gotcha goten gotenks goth gotham gothic gotmilk gotohell gotribe govols grace gramma granada grandam
granny grapes gratis grease great greatone greedisgood green greenbay greenday greenlantern greens gregor
gremlin grendel gretzky greywolf griffey grimace grin grinch gringo grisha grizzly gromit groove groovy
groucho grumpy grunt gryphon gsxr gthcbr gtnhjdbx gtnhjpfdjlcr guai guang guardian guillaum guiness guinness
guitar guitars gumby gundam gunnar gunner gunners gustav guyver gymnast gypsy habibi hack hacked hacker
hacking haggis hairball hairy hakr hal halflife halifax hallo hallowee hambone hamburg hamish hamlet hammer
hammers hamster handbag handball handyman hannah hannes hannibal hansol hansolo hanuman happy happyday
harald hardball hardcock hardcore harddick hardon hardone hardrock hardwood harle harlem harley harrier
harry harrypotter harvest hattrick havana havefun hawaii hawaiian hawkeye hawkeyes hayabusa hd764nw5d7e1vb
hearts heater heather heaven heckfy hedgehog hedimaptfcor heidi heineken hejsan hellas hellboy hellfire
hello hellokitty helloo hellos hellsing hellyeah helmet helmut helper helpme hemi hemlock hendrix heng
henrik henry hentai herbie hercules herewego hermes hershey hesoyam hetfield hewlett heynow hfytnrb hidden
highbury highheel highland highlander highlife hiking hillbill hiphop hippie hitachi hithere hitler hitman
hiziad hjccbz hjvfirf hobbes hobbit hockey hogtied hokies hola holein holger holiday holla holly hollywoo
holycow holyshit homeboy homemade homepage homer homerj homers homerun honda hondas honey honeybee honeys
hongkong honolulu hookem hooker hookup hooligan hoops hoosier hoosiers hooter hooters hootie hopeful hores
horizon horndog hornet hornets horney horny horse horses hospital hotass hotbox hotboy hotdog hotgirl
hotgirls hotone hotpussy hotred hotrod hotsex hotshot hotstuff hott hottie hotties houdini hounddog house
houston hover htubcnhfwbz huai hummer hunte hunter hunting hurrican husker huskers huskies hustler hyperion
hyundai iamgod iampurehaha ibanez iceberg icecream icecube icehouse iceman icu idefix idontkno idontknow
idunno iforget iforgot igor iguana ihateyou ijrjkfl iklo ilikeit ilikepie illini illusion ilove iloveboobies
ilovegod iloveme ilovemyfamily ilovepussy ilovesex iloveu iloveyo iloveyou imation immortal impala implants
impreza inches incubus indiana indians indigo inferno infiniti infinity ingodwetrust inlove insane insert
insomnia inspiron install installdevic installsqlst integra intel intercourse interne internet intrepid
intruder inuyasha inventory iomega ipswich ireland irina irinka irish irishka irishman iriska ironmaiden
ironman iscool iseedeadpeople islander ismail istanbul istheman italia italiano itisme itsme ivanov ivanova
iverson iwantu jabber jabroni jackal jackass jackoff jackpot jackson jacob jagger jaguar jaguars jakarta
jamaica james jamesbon jamesbond jamess jamie jammer jammin january jarhead jasmine jason jasper java
javelin jaybird jayden jayhawk jayhawks jazzman jazzy jedi jeep jeeper jeepster jefferso jehovah jello jelly
jellybea jellybean jenn jennaj jennife jennifer jenny jeremy jericho jerkoff jerry jesper jesse jessic
jessica jester jesus jeter jethro jets jetski jewels jezebel jiang jiao jiggaman jimbo jimbob jimmy jimmys
jing jingle jingles jiong jktxrf jktymrf jockey joe joebob joecool joemama johann johannes john johnboy
johncena johndeer johndoe johngalt johnny johnson joker jokers jomama jones jonny jorda jordan joseph
josephin joshu joshua jrcfyf jsbach jubilee juggalo jughead juice juicy julia julie julien jumbo jumper
junebug jungle junio junior juniper junkie junkmail jupiter jurassic justdoit justi justice justin
justinbieber justme juventus kaboom kahlua kahuna kakashka kaktus kalina kamasutra kamikadze kamikaze kamila
kamilla kangaroo kansas kappa karachi karaoke karate karen karina karolina kashmir kasper katana katarina
katerina kathy katie katrin kawasaki kazantip kcchiefs keeper keepout keith kelly keng kenny kenobi kenshin
kenwood kenworth kernel kerouac kestrel kevin kevinp keyboard keystone keywest kfgjxrf kfhbcf kickass kicker
kicksass kidrock kieran killa killbill kille killer killers killjoy killme kilroy kimmie kingfish kingkong
kingpin kingston kinky kipper kirill kirsty kisses kissme kissmyass kiteboy kitkat kitten kittens kitty
kittycat kittykat kittys kiwi kjkszpj kjrjvjnbd klaste klaster kleopatra klingon klizma klondike knickers
knicks knight knights knockers knopka knuckles kodiak kojak kokomo kolbasa kolobok kolokol komodo konstantin
kool koolaid kordell korn koroleva korova koshka kosmos kostya kotaku kotenok krasotka krishna kristin
krokodil krolik kronos krusty krypton ksenia ksusha ktyjxrf kuai kuang kume kungfu labrador labtec lacrosse
laddie ladybug laetitia lagnaf laguna lakers lakeside lakewood lakota lalakers lambda lamer lancelot lancer
lancia lansing lantern laptop larisa larry laser laserjet lassie lasvega lasvegas latinas latino laura
lauren laurent lavalamp lazarus lback leather leavemealone lebowski ledzep leedsutd lefty legacy legend
legion legman legolas legos leinad lekker lemans lemmein lemonade leng lennon lenochka leonid leopard
leopold lesbian lesbians lespaul lestat letmei letmein letsdoit letsgo lexmark lexus lfitymrf lfybbk
lhbjkjubz lhfrjy lian liang liao libero liberty lick licker licking lickit lickme lifehack lighter lightnin
lightning lights lilbit liliya lilwayne limewire linda lindros lineage linkin lion lionking lipton liquid
lithium little liverpoo liverpool lizard lizzy ljxtymrf lobo lobster lockdown loco logan logger logistics
logitech loki lokomotiv lol lolipop lollipop lollol lollypop lolol londo london lonesome lonestar lonewolf
longbow longdong longhair longhorn longjohn looker lookout looser loser losers lost lotus lotward love
lovebug loveit lovelife lovely loveme lover loverboy loverman lovers lovesex loveya loveyou lowrider ltybcrf
luan luca lucas lucifer lucky luckydog luckyone ludmila lumber lumina lunchbox lust lvbnhbq lytghjgtnhjdcr
macaroni macbeth macdaddy machine macintos macman macross madagaskar madcat madcow maddie maddog madina
madison madman madmax madness madonna maestro mafia magelan magellan maggi maggie maggot magic magician
magick magicman magnet magneto magnum magnus magpie magpies maiden mailcreated mailman maison majestic
makaka makaveli makayla maksim maksimka malachi malaka malibu malice malina malish mallard mallorca mallrats
mama mamacita mamamia mamapapa mamas mammoth manchest manchester mancity mandarin mandingo mandrake mandy
manfred mang mango mangos maniac mankind manolo manowar manson mantis mantle manutd maprchem maradona
marathon marauder marbles marcello marcin marcius margarit maria marie marijuan marijuana marika marina
marine mariner mariners marines marino mario mariposa marius mariya marker markie markiz marlboro marley
marseill marseille martin martini maryjane masamune maserati mash mason massimiliano massive maste master
masterbaiting masterbate masterbating masterp masturbation matador matchbox matisse matrix matteo matthe
matthew matthias matty mature maurolarastefy maveric maverick max maxdog maxell maxi maxim maxima maxime
maximka maximus maxwell maxx maxxxx mayday mayhem mazafaka mazda mazdarx mclaren meadow meatball meathead
meatloaf mechanic medic medical medion medusa medved megadeth megaman megan megane megapass megatron meister
melanie meliss melissa mellon mellow melons melrose memorex memphis menace meng menthol mentor meowmeow
mephisto mercede mercedes mercury meridian merlin merlot mermaid mersedes messiah met metal metall metallic
metallica metroid mets mevefalkcakk mexico miami mian miao michae michael michaeljackson michigan mick
mickey micro microlab micron microphone microsof microsoft midget midnight midnite midway mierda mighty
migue mihail mikael mike mikey milana milano milena milkman millenium miller million millwall minecraft
mingus minime minimoni minnesot mirage mischief misfit misfits mishka misiek missie missy mister mistress
misty mittens mizzou mnbvcxz mobydick modelsne modena mogwai mohawk mojo molly mollydog moloko molson momdad
mommy momoney momsanaladventure monaco monalisa monarch monday mondeo mone money moneyman moneys mongoose
monic monitor monke monkey monkeybo monkeys monopoly monster montag montana montecar monterey montgom
montreal montrose monty moocow mookie moomoo moonbeam moondog moonligh moonlight moonshin moose mooses mopar
mordor morgan morganstanley moritz morpheus morrowind mortalkombat morten mortgage mortimer mortis moscow
moskva mother motherlode moto motocros motorola motown mountain mouse mouser mozart msorcloledbr mudvayne
mufasa muffin mulder mullet multiplelo munch munchkin muppet murphy murzik musashi muscle muscles mushroom
music musica musicman mustafa mustang mustangs mustard mutant mybaby mydick mygirl mykids mylife mylove
myname mynameis mypass mypassword mypasswordis mysecretpassword mystic mytime myxworld naked namaste nancy
nang nanook napalm napass napoli napster narnia naruto nascar nastia nasty nastya natali natalie nataly
natasha natchez natedogg nathan naughty nautica nautilus navajo navigator navyseal nazgul nbvjatq ncc
nebraska needforspeed nemesis nemrac nemvxyheqdd5oqxyxyzi neng neon neptune netscape networkingpe nevada
nevermin nevermind nevermore nevets newark newbie newcastl newlife newpass newport newproject newyear
newyork nextel nfnmzyf nfytxrf nhecsyfujkjdt nhfdvfnjkju nhfycajhvths niang niao niceass niceguy nickel nico
nicola nicole nigga nigger nightcrawler nightmar nightowl nightwish nike nikita nikitos nikki nikola nikolai
nikolay nimbus nimitz nimrod nineball nineinch niners ning ninja ninjas nintendo nipper nipple nipples
nirvana nissan nitram nitro nittany nofear nokia nokian noles nolimit nomad nomore noname nondriversig nong
noodle noodles nookie nopass nopassword normandy norwich nostromo notebook notredam notused nounours novell
november noway nthvbyfnjh ntktajy nuan nude nudes nudist nugget nuggets number nutmeg nuttertools nygiants
nyjets nylons nymets nympho oakland oasis oatmeal obelix oberon obiwan oblivion obsidian oceans october
octopus odyssey ohshit ohyeah oicu oilers oksana olcrackmaster oldman oleg olemiss olenka olesya oliver
olivier olympus omega onelove onetime onetwo onion onions online onlyme onlyone ontheoutside opendoor
opennow openup operator optimist optimus oracle orange oranges orchard orchid oreo orgasm orient orioles
orion oscar osiris othello outback outkast outlaw outsider overkill overlord oxford oyster ozzy pacers
pacino packard packer packers pacman paco paddle padres paintbal paintball pajero pakistan paladin pallmall
palmtree paloma panama panasoni panasonic pancake pancho panda pandas pandora pang panhead panter pantera
panther panthers panties pantyhos panzer paolo papamama papillon papito paradigm paradise paradox paragon
paraklast paramedi paris parkour parlament parol parola parrot pasadena pascal pass passat passion passme
passphrase passport passwd passwor password passwordpassword passwords passwordstandard passwort pasword
patches pathfind patric patrici patrick patrik patriot patriots paulie pavel pavement pavilion pavlov payday
pdtplf peace peach peaches peachy peanut peanutbutter peanuts pearl pearljam pearls pebble pebbles pecker
peekaboo peeper peewee pegasus pelican pencil penetration peng penguin penguins penis penny penthous pentium
pepito peppe pepper pepsi perfect persik persona pertinant pervert peter peterbil peterpan petrov petrova
petunia peugeot phantom pharao pharmacy phat pheonix phialpha philippe philips phillies philly phish phoeni
phoenix photon photos phpbb pian pianoman piao picard picasso piccolo pickle pickles pickup pics picturs
piercing pigeon piggy piglet pigpen pikachu pillow pimp pimpdadd pimpdaddy pimpin pimping pinball pineappl
pineapple pinetree ping pingpong pinhead pink pinkfloy pinkfloyd pinky pinnacle pioneer pipeline pippen
pippo piramida pirate pirates pisces pissing pissoff pistol pistons pitbull pixies pizdec pizza pizzaman
pizzas placebo placid planet plasma plastic plastics platinum plato platon platypus playa playball playboy
player playmate playstat playstation playtime please ploppy plumber pluto plymouth pobeda poison poiuyt
poiuytrewq pokemo pokemon poker polaris police polina pollux polniypizdec polo polska pompey poncho pong
pontiac pony poochie poodle pooh poohbear pookey pookie pooky pool poontang poop pooper poophead poopie
poopoo poopy pooter popcorn popeye popova popper poppy poptart porkchop porn pornking porno pornographic
pornos pornstar porsche portland portugal poseidon possum postal postman potato pothead powder power
preacher precious predator prelude premium presario presiden presto primus prince princes princesa princess
pringles printer prissy private privet pro probes prodigy prophet prosper proton proview prowler proxy
prozac psycho ptybnxtvgbjy puck puddin pudding puffin puffy pufunga pugsley pulsar pumper pumpkin pumpkins
punisher punker punkin punkrock punksnotdead puppies puppy puppydog pupsik purdue purpl purple pushkin puss
pussey pussie pussies pussy pussycat pussyman pussys putter pyon pyramid python q1w2e3r4t5y q1w2e3r4t5y6u
q1w2e3r4t5y6u7i q1w2e3r4t5y6u7i8o9p q2w3e4r5t6y qa2ws3ed4rf qa2ws3ed4rf5tg qawsed qawsedrf qawsedrftgyh qaz
qaz123wsx qaz2wsx3edc qaz2wsx3edc4rfv qazqaz qazws qazwsx qazwsxed qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb
qazxcv qazxsw qazxsw23edc qazxsw23edcvfr qazxswedc qazxswedcvfr qazzaq qiang qiao qing qiong qqq qqqq qqqqq
qqqwww quan quantum quartz quasar quattro queens quest qw34er56ty qwas qwaszx qwaszxerdfcv qwe qwe456rty
qweasd qweasdzxc qwedsa qweewq qweqwe qwer qwerasdf qwerasdfzxcv qwert qwertasdfgzxcvb qwerty qwertyasdfgh
qwertyu qwertyui qwertyuio qwertyuiop qwertyuiopasdf qwertyuiopasdfghjkl qwertyytrewq qwertz rabbit rabbits
rabota racecar racer racerx rachel racing radeon radiohea radiohead raduga ragnarok raider raiders rainbow
rainbows rainman rainyday raistlin rambler rambo ramjet rammstein ramones rampage ramrod ramses rancid
random randy rang ranger rangers raptor rascal rasdzv rasmus rasputin rasta rastaman ratboy ratman raven
ravens rax razor razz rbhbkk rctybz reader realmadrid reaper rebecca rebel rebels reckless red redalert
redbaron redbird redbone redbull redcar reddevil reddog reddwarf redeye redfish redfox redhat redhead
redheads redhot redlight redline redman redneck redrose redrum reds redskin redskins redsox redstar redwine
redwing redwings redwood reebok reefer reflex reggae reload reloaded remingto renault renegade reng reptile
requiem rereirf rescue residentevil restart retard revoluti revolver rewq rfgecnf rfhbyf rfhfvtkmrf rfhfylfi
rfhnjirf rfnthbyf rfntymrf rfrfirf rfrnec rfvfcenhf rhbcnbyf rhfcfdbwf rhfcjnrf rhino rhinos rhjrjlbk
rhtdtlrj rhubarb ricard riccardo richar richard riffraff rightnow riley ringo ripken ripper ripple riverrat
riversid rjhjkm rjhjktdf rjirfrgbde rjntyjr rjycnfynby roadkill roadking roadrunn roadrunner roadster rober
robert robin robocop robot robotech robotics rocker rocket rockets rockford rockhard rockie rockies rockin
rocknrol rocknroll rockon rocks rockstar rocky rodeo rodman roger rogue rolex roller rollin rolltide romans
romashka romeo rommel ronaldinho ronaldo rong roofer rookie rooster rootbeer rootroot rosebud rosewood
roswell rotten route rover rovers royals rtyuehe ruan rubber rubble rubicon rudeboy rufus rugby rugger rulez
rulezzz rumble runaway runescape runner rush ruslan russia rustam rusty rustydog sabbath sabine sabres
sabrina sadie safari sahara saigon sailboat sailing sailor saints sairam saiyan sakura salamander salami
salasana saleen sally salman salmon salomon salope salsero sam samanth samantha sambo samiam samm sammy
samoht samson samsun samsung samtron samuel samurai sancho sandiego sandman sandr sandra sandrine sandro
sandy sanfran sanfrancisco sanity santafe sapper sapphic sapphire sarah saratoga sascha sasha sashka saskia
sassy sasuke satan satana satchmo saturday saturn saun sauron sausage sausages savior sayang scamper scania
scanner scarface scarlet schalke scheisse schoolgirlie schumi scooby scoobydo scoobydoo scooter scorpio
scorpion scotch scotland scott scotty scout scrabble scrapper scrappy scream screamer screwy scruffy scuba
scully seabee seadoo seagull seahawks seamus searay seaside seattle sebastia sebring secret secretpassword
security sedona seeker seemnemaailm segblue seinfeld sekret select seminole semper semperfi senators seneca
seng senna sensei sentinel sephiroth septembe september serega serenity sergbest sergei sergey sergi serpent
sersolution server sesame seven sevens severin sex sexgod sexman sexo sexsex sextoy sexual sexx sexxx sexxxx
sexxxy sexxy sexy sexybabe sexybitch sexyboy sexygirl sexylady sexyman sexyone shado shadow shady shag
shaggy shai shakur shalom shaman shampoo shamrock shamus shane shaney shang shania shannon shao shaolin
shark sharks sharky shasta shaved shazam sheba sheeba sheepdog shei shelby shemale shen sheng sherlock
shibby shiloh shiner shinobi shitface shithead shitty shocker shodan shogun shojou shonuf shooter shopper
shorty shotgun shou showme showtime shuai shuang shui shun shuo shutup sickboy sidekick siemens sierra sigma
sigmachi silver silverad simba simon simple simpsons sinatra sinbad singapor sinister sinned sinner sirius
sissy sithlord sixers sixpack sixty skate skateboard skater skeeter skibum skidoo skiing skillet skinhead
skinny skipper skippy skittles skorpion skydive skyhawk skylar skylark skyler skyline skywalke skywalker
slacker slamdunk slammer slapper slappy slapshot slave slavik slayer sleeper sleepy slick slider slim
slimshad slimshady slinky slipknot slippery sliver slonik slowhand slugger sluggo slut sluts slutty smackdow
smackdown smart smashing smeghead smegma smelly smile smiles smiley smirnoff smirnov smith smiths smitty
smoke smoker smokes smokey smokie smokin smooth smoothie smother smudge smurf smut snake snakes snapon
snapper snapple snappy snatch sneakers sneaky snicker snickers sniper snooker snoop snoopdog snoopy snowball
snowbird snowboar snowboard snowflak snowman snuffy snuggles sobaka socce soccer socrates softail softball
software sojdlg123aljg solaris soldier soleil solitude solnce sommer sonata sonic sonics sonnenschein sonoma
sony sonyericsson sonyfuck sooners sophi sophie soprano sopranos soulmate southpar southpark southpaw sowhat
spaceman spam spank spanker spanking spankme spanks spanky spanner sparkle sparkles sparky sparta spartak
spartan spartans spawn speaker special specialinsta specialk spectre spectrum speedo speedy spencer sperma
sphinx spice spider spiderma spiderman spidey spike spiker spikes spikey spinner spiral spirit spitfire
splash spleen spliff splinter spock sponge spongebo spongebob spooge spook spooky spoons sporty spotty
spring sprint sprinter sprite sprout spud spunky spurs sputnik spyder sqdwfe squall squash squeak squirrel
squirt srinivas stalin stalker stallion stang stanislav stanley star starbuck starcraf starcraft stardust
starfire starfish stargate starligh starman starship start starter startrek starwar starwars stasik static
stayout stealth steaua steeler steelers stefano steffi stellar stepan steph stephani stephen stereo sterlin
sterva steve steven stewart stickdaddy stickman sticks sticky stiffy stigmata stiletto stimpy sting stinger
stingray stinker stinky stinkyfinger stitch stocking stocks stone stonecol stonecold stoned stones stoney
storm stormy stranger strap stratfor stratocaster stratus strawber strawberry streaming strelok strider
strike striker stripper stroker stryker stubby stud studly studman stumpy stunner stupid stylus suan subaru
sublime submit subway subzero success suck suckdick sucker suckers suckit suckme suckmydick sucks suede
sugar sultan summer summit sundance sunday sundevil sunfire sunflowe sunflower sunlight sunny sunnyday
sunrise sunset sunshin sunshine super superb superfly superma superman supernov supernova supersecret
supersonic supersta superstar supra surf surfer surfing survivor susan sushi suslik suzuki sveta svetik
svetlana svoboda swallow sweeps sweet sweetnes sweetness sweetpea sweets sweety swimmer swimming swinger
swingers swinging swoosh sword swordfis swordfish swords sydney sylveste syncmaster synergy syracuse
systemofadown syzygy tabasco taco tacobell tacoma taekwondo taffy taichi talisman talon tamerlan tammy
tampabay tango tanker tantra tanya tarakan tardis target tarheel tarheels tarpon tarzan tasha tasty tatarin
tattoo tatyana taurus taxman taylor tazman tazmania tazz tbird tbone tdutybq tdutybz teacher technics techno
teddy teddybea teddybear teen teens teensex tekken telefon telemike telephon temp tempest templar
temporarypassword temppass temppassword tenchi teng tennesse tennis tequila terefon terminat terminator
termite terrapin terrier terror test tester testing testpass testtest tetris tetsuo texas thailand thanatos
thankyou thebear thebeast thebest theboss thecakeisalie thecat thecrow thecure thedog thedon thedoors
thedude theend theforce thegame thegreat thekid theking theman theone therock thesims thewho thierry
thirteen thisisapassword thisisit thoma thomas thong thongs thor threesom thuglife thumbs thumper thunder
thunderb thursday thx tiamat tian tiao tiberius tiburon ticketmaster tickle ticklish tiffany tiger tigercat
tigers tigge tigger tights timber timeout timosha ting tinker tinkerbe tinkerbell tinman tintin tipper titan
titanic titanium titans titfuck titleist tits titten titties titts titty tkbpfdtnf toaster toejam toffee
tokiohotel tolkien tomahawk tomato tomcat tommy tommyboy toocool toolbox toolman toomuch toon toonarmy
tootie tootsie topcat topdog topgun tophat topher topper toriamos torino tornado toronto toshiba tosser
totoro tottenha tottenham toyota tracer tracker tractor trader trainer tralala trample trance tranny transam
translator trapper travel traveler travis treasure treble trebor treefrog treetop trek trfnthbyf triangle
tricky trident trigger trigun trinitro trinitron trinity tripleh triplex tripod tripper triton triumph
trixie trojan trojans troll trombone trooper trouble truck trucker trucking trucks trueblue truelove trumpet
trunks trustme trustno tsunami tucson tuesday tujhrf tulips tunafish tundra tuning tupac turbo turbos turkey
turnip turtle tuscl tuxedo tweety twiggy twilight twinkie twinkle twisted twister tycoon tyler typhoon tyson
ufkbyf ultima ultimate ultra umbrella umpire undead underdog undertak undertaker unicorn universa unreal
uptown upyours uranus usa usarmy username usmarine usmc usnavy usuckballz utopia vacation vader vadim
vagabond vagina valentin valentina valera valeriya valhalla valkyrie vampir vampire vancouve vanessa
vanguard vanhalen vanilla vanyarespekt varvara vasilisa vauxhall vbkfirf vector vectra vedder vegeta vegitto
vehpbr velvet vendetta venera venom verbatim veritas verizon vermont veronika versace vertigo vette vfczyz
vfhbyf vfhbyfvfhbyf vfhecz vfhufhbnf vfibyf vfitymrf vfksirf vfndtq vfntvfnbrf vfrcbv vfrcbvrf vfrcbvvfrcbv
vfvekz vfvfgfgf vfvfvskfhfve vfvjxrf viagra victori victory video vides viewsoni viewsonic viking vikings
viktor viktoria viktoriya vincent vintage violetta violin viper vipergts vipers virgin virginie visa vision
vitalik vitamin vjcrdf vjkjrj vjqgfhjkm vkontakte vlad vladik vladimir vladimirovna vladislav volcom volkov
volkswag volley volleyba volvo voodoo vortex voyager voyeur vqsablpzla vsegda vsjasnel vulcan waffle walleye
walmart walnut walrus wanderer wanker wanking wannabe wanrltw wapbbs warcraft wareagle warehouse warez
warhamme warhammer warhammer40k warlock warlord warrior warriors warthog wasabi washingt wasser wassup
watcher water waterboy waterfal waterloo watford wayne wazzkaprivet wazzup weare weasel webhompas webmaste
webmaster websolutions websolutionssu webuivalidat wednesday weed weezer weihnachtsbau weihnachtsbaum welcom
welcome welder welkom wendy weng werder werdna werewolf westham westside westwood wetpussy wetter whatever
whatsup whatthe whatup wheels whiplash whiskers whiskey whisky whisper whistler white whiteboy whiteout
whitesox whitey whocares whore whores whosyourdaddy whynot wibble wicked widget wifey wildbill wildcard
wildcat wildcats wildfire wildman wildone wildwood william willow windmill windows windsor windsurf wingman
wingnut winner winston winter wisdom wiseguy wishbone wizard wizards wolf wolfen wolfgang wolfie wolfman
wolfpac wolfpack wolverin wolverine wolves womans wombat wonderboy wonderfu woodie woodland woodstoc woody
woofer woofwoof woohoo wookie wordpass wordup wormix worms wraith wrangler wrench wrestle wrestlin wrinkle
wutang wxcvbn xanadu xantia xavier xbox xerxes xfiles xian xiang xing xtreme xxx xxxp455w0rd xxxpass xyz
yamaha yamahar yamato yankee yankees ybrbnf ybrjkfq yeahbaby yellow yessir yfcntymrf yfnfif yfnfkb yfnfkmz
yinyang yjdsqgfhjkm yoda yogibear yomama yosemite you young yourmom yousuck yoyoma ytrewq yugioh yummy
yzerman z1x2c3v4b5n6m zachary zalupa zang zanzibar zaphod zappa zapper zaq zaq1xsw2cde zaqwsx zaqwsxcde
zaqwsxcderfv zaqxsw zaqxswcde zaraza zarina zasada zcfvfzkexifz zebra zeng zenith zephyr zeppelin zerocool
zeus zhai zhao zhei zheng zhjckfd zhong zhou zhuai zhuang zhui zhun zhuo zidane ziggy zigzag zildjian zipper
zippo zippy zodiac zoloto zombie zong zorro zqjphsyf6ctifgu zuan zvezda zxasqw zxc zxcasd zxcasdqwe zxcv
zxcvb zxcvbn zxcvbnm zxcvbnmasdfghjkl zyjxrf zzz zzzxxx
`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

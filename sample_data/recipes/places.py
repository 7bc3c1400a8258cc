"""The states of the United States with their Census divisions and some of their cities."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class State:
    """A state: its share of hospitals, its price level (country = 1) and its cities, largest first."""

    code: str
    division: str
    region: str
    weight: int
    price: float
    cities: tuple[str, ...]


# Region, division; then per state its code, weight, price level: cities. No city name occurs twice.
_LISTING = """
Northeast, New England
CT 31 1.20: Bridgeport, New Haven, Hartford, Stamford, Waterbury
ME 22 1.00: Portland, Lewiston, Bangor, Augusta
MA 62 1.22: Boston, Worcester, Springfield, Lowell, Cambridge, Fall River
NH 14 1.05: Manchester, Nashua, Concord
RI 11 1.10: Providence, Warwick, Pawtucket
VT 7 1.08: Burlington, Rutland
Northeast, Middle Atlantic
NJ 66 1.14: Newark, Jersey City, Paterson, Elizabeth, Trenton, Camden, Edison
NY 170 1.25: New York, Buffalo, Rochester, Yonkers, Syracuse, Albany, Utica, Binghamton, Ithaca
PA 152 0.97: Philadelphia, Pittsburgh, Allentown, Erie, Reading, Scranton, Harrisburg, Altoona
Midwest, East North Central
IL 128 1.02: Chicago, Aurora, Joliet, Rockford, Peoria, Naperville, Champaign
IN 84 0.96: Indianapolis, Fort Wayne, Evansville, South Bend, Muncie, Terre Haute
MI 98 1.01: Detroit, Grand Rapids, Warren, Ann Arbor, Lansing, Flint, Kalamazoo
OH 134 0.98: Cleveland, Cincinnati, Columbus, Toledo, Akron, Dayton, Youngstown, Canton
WI 66 1.00: Milwaukee, Madison, Green Bay, Kenosha, Racine, Eau Claire
Midwest, West North Central
IA 34 0.92: Des Moines, Cedar Rapids, Davenport, Sioux City, Waterloo
KS 50 0.93: Wichita, Overland Park, Topeka, Olathe, Salina
MN 50 1.03: Minneapolis, Saint Paul, Duluth, Saint Cloud, Mankato
MO 72 0.95: Kansas City, Saint Louis, Independence, Joplin, Cape Girardeau
NE 24 0.97: Omaha, Lincoln, Grand Island, Kearney
ND 8 1.00: Fargo, Bismarck, Minot
SD 20 0.98: Sioux Falls, Rapid City, Aberdeen
South, South Atlantic
DE 7 1.04: Wilmington, Dover, Lewes
DC 8 1.28: Washington
FL 168 0.97: Jacksonville, Miami, Tampa, Orlando, Saint Petersburg, Hialeah, Tallahassee, \
Fort Lauderdale, Sarasota
GA 98 0.96: Atlanta, Savannah, Macon, Athens, Valdosta, Marietta
MD 46 1.28: Baltimore, Frederick, Rockville, Annapolis, Salisbury, Hagerstown
NC 86 0.96: Charlotte, Raleigh, Greensboro, Durham, Winston-Salem, Asheville, Hickory
SC 54 0.95: Charleston, Columbia, Greenville, Spartanburg, Florence
VA 76 0.95: Virginia Beach, Norfolk, Richmond, Roanoke, Lynchburg, Fairfax
WV 28 0.91: Huntington, Morgantown, Wheeling, Beckley
South, East South Central
AL 88 0.86: Birmingham, Montgomery, Huntsville, Mobile, Tuscaloosa, Dothan
KY 64 0.91: Louisville, Lexington, Bowling Green, Owensboro, Paducah
MS 60 0.90: Jackson, Gulfport, Biloxi, Hattiesburg, Tupelo
TN 92 0.91: Nashville, Memphis, Knoxville, Chattanooga, Kingsport, Cookeville
South, West South Central
AR 44 0.88: Little Rock, Fort Smith, Fayetteville, Jonesboro
LA 84 0.92: New Orleans, Baton Rouge, Shreveport, Lafayette, Lake Charles, Houma
OK 76 0.91: Oklahoma City, Tulsa, Norman, Lawton, Enid
TX 300 0.98: Houston, San Antonio, Dallas, Austin, Fort Worth, El Paso, Corpus Christi, Lubbock, \
Amarillo, Waco, Tyler
West, Mountain
AZ 60 1.03: Phoenix, Tucson, Mesa, Scottsdale, Flagstaff, Yuma
CO 46 1.03: Denver, Colorado Springs, Boulder, Pueblo, Fort Collins
ID 14 0.99: Boise, Nampa, Idaho Falls, Pocatello
MT 12 1.03: Billings, Missoula, Great Falls, Bozeman
NV 24 1.08: Las Vegas, Reno, Henderson, Carson City
NM 26 1.01: Albuquerque, Santa Fe, Las Cruces, Roswell
UT 32 1.01: Salt Lake City, Provo, Ogden, Saint George
WY 12 1.10: Cheyenne, Casper, Laramie
West, Pacific
AK 8 1.34: Anchorage, Fairbanks, Juneau
CA 292 1.28: Los Angeles, San Diego, San Jose, San Francisco, Fresno, Sacramento, Long Beach, Oakland, \
Bakersfield, Stockton, Riverside
HI 12 1.23: Honolulu, Hilo, Wailuku
OR 34 1.09: Salem, Eugene, Medford, Bend, Corvallis
WA 48 1.09: Seattle, Spokane, Tacoma, Bellevue, Everett, Yakima, Olympia
"""


def _parsed(listing: str) -> tuple[State, ...]:
    states: list[State] = []
    region = division = ""
    for line in listing.strip().splitlines():
        head, _, names = line.partition(":")
        if not names:
            region, division = (part.strip() for part in head.split(","))
            continue
        code, weight, price = head.split()
        cities = tuple(name.strip() for name in names.split(","))
        states.append(State(code, division, region, int(weight), float(price), cities))
    return tuple(states)


STATES = _parsed(_LISTING)

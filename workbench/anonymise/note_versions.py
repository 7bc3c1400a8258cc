"""The versions of notes with which the words of statements changed: each says from which one on, and in what."""

from __future__ import annotations

CHOICES_APART = 5
"""The version of notes that tells what the program worked out from what only the publisher can say."""
NUMBER_APART = 6
"""The version of notes that asks by itself whether the number of people is told, and has another answer to it."""

SHAPED_AFTER = 7
"""The version of notes that tells what was done to the released rows after the draw."""

LOOKS_TOLD = 9
"""The version of notes that tells what holds for the choices as they are after a look, and asks whether anything that
was seen decided about publication."""

WITHOUT_EXAMPLE = 10
"""The version of notes whose statements give no example of labels of several levels, as no column need hold it."""

COUNTED_BY_GROUPS = 11
"""The version of notes whose statements on trimmed releases begin with counting group by group, show it with one, and
say what an empty cell is; and that asks for what else must not be told in shorter words."""

LEVELS_SHOWN = 12
"""The version of notes that shows a label of the file for each level that has a number and no name, and calls intervals
by their width in words."""

DELTA_INCLUDED = 13
"""The version of notes whose statements say that δ is counted in how often a guess is right, and print what each step
spends so that it adds up to what is promised."""

REPLACED_WHOLE = 14
"""The version of notes whose statements say what is replaced by what, and, where the rows of a person are limited, that
it is a person with all their rows; and that speak of what becomes which label, and of rules beside lists."""

REPLACED_BY_ONE = 15
"""The version of notes that says so of a person whose rows are limited wherever it says what the tables differ in."""

MAY_FOLLOW = 16
"""The version of notes whose statements say that choices may have followed from the table where a publisher cannot say
that they did not: whoever is unsure answers as if they did."""

OCCURRING_LISTED = 17
"""The version of notes that lists what was said to occur in columns, where steps follow from it."""

VALUES_BOUNDED = 18
"""The version of notes whose statements say what the promise means for a value of a person, that rows are people where
everybody has one, and how many rows were expected where others may know that; and print thirds as fractions."""

COUNTING_FIRST = 19
"""The version of notes whose statements say column by column how to count before they say what exactly is promised."""

COUNTS_AT_MOST = 20
"""The version of notes whose statements say of counts that none is too high, and apart from it what comes before one
counts; of groups of few rows that these are what is left of them; and of people that one row takes part, and not that
they have no others."""

WAYS_APART = 21
"""The version of notes whose statements tell counting by all columns at once from counting by one of them, and whose
assertions say people where everybody has one row and it was asked how many people are expected."""

TAKE_PART = 22
"""The version of notes whose assertions speak of the columns that take part: which of them the file has may have been
decided by the released rows."""

SAID_WITH_HIERARCHIES = 23
"""The version of notes whose sentence on hierarchies begins with what was said to occur in their columns, as whoever
typed that signs it."""

ALIKE_AS_THEY_STAND = 24
"""The version of notes whose statements say to count rows with equal labels as they stand where none of the columns in
the file has labels of several levels; until then they said to bring the labels of no column to one level."""

ROWS_GUESSED = 25
"""The version of notes whose statements say, where it is hidden who is in the table, also how often what is true of
somebody who is known to be there is guessed right."""

READ_FIRST = 26
"""The version of notes whose statements begin with what is needed most: that rows are people where one row of each was
chosen, how much counts are too low, and what of that which was said to occur no row says, or which labels too few.
They say of groups and counts that these are of the rows that took part, where others may not have; they ask what is
guessed before they say how often, and call a level whose spaces are tidied as the program does elsewhere."""

TOLD_AS_SEEN = 27
"""The version of notes that hold which labels can occur, so that their statements name all that no row says, as the
screen does; that say of counting by one column, or by some, what can be added and label by label about how many there
are at least; how much a group mostly gave up; where intervals are cut; and steps as parts of the whole. They say how
often a guess is right in whole percent, as the rooms do; several intervals that no row says as one range; and where one
row of each person took part, what that means for who has several."""

READ_ONCE = 28
"""The version of notes whose statements say in sentences to be read once how often a guess about one person is right,
and how that follows from ε and δ; that have one figure for what a group gave up on average; say of labels in few rows
that their counts say next to nothing, and no longer that they cannot be counted; and tell where intervals end, and in
which of them the largest number is that was said to occur."""

FILE_FIRST = 29
"""The version of notes whose statements begin with the claim and with what the file is, then say how often a guess is
right, and only after that what is supposed of whoever guesses; and that name combinations of values that no row has."""

COUNTED_WIDELY = 30
"""The version of notes whose statements count columns of up to 24 labels by label, say of which they do where it is not
of all, and have words for intervals that widen, whose labels they list."""

SAID_ONCE = 31
"""The version of notes whose statements say each rule of counting once, in fewer words; that hold of how many groups a
label could be, and say where a count may be far too low as few of them are in the file; that name combinations that no
row has also where a value is rare or missing, and say of which labels; and call intervals that widen by where they
begin and end."""

SPELT_AS_IN_FILE = 32
"""The version of notes that name intervals that no row says by the labels that the file would have for them, and what
lies beyond all intervals that widen where it was said to occur; whose statements say by which number of rows a count
may be far too low, why δ counts twice in one place and 1 + e^ε times in another, which labels are for what nobody said
can occur, and that no means of numbers are to be reported; that have the numbers by label near the top, with a sum that
shows how each comes about, the rules of counting in a part of their own, and one word for values that stay as they are;
whose publisher says in plain words of which counts nobody is told; and that hold that the last interval has its upper
end."""

COUNTED_EXACTLY = 33
"""The version of notes whose statements add what groups gave up exactly as it is printed: before, a sum that was whole
could be told as one less. They say of rows alone that they are never more than those of the table."""

LISTED_AS_CELLS = 34
"""The version of notes whose statements list values as a CSV file has them, in quotes where one has a comma or a quote,
and round the example of a group down as they do the numbers by label; that say which number to take where a sum is less
than the rows in the file, and why those of a column can add up to too many."""

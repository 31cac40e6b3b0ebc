A title that says nothing of the format
and a second line
and a third

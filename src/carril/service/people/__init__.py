"""What belongs to a person: profile, ratings, notes, mail address; finding tables and people."""

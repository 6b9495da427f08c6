"""Who is better: matches and tournaments."""

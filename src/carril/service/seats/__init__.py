"""Who plays which seat: joining, leaving, stand-ins and rematches."""

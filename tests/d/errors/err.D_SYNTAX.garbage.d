BEGIN { ) }

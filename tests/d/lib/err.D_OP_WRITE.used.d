BEGIN { trace(chip); chip = 3; }

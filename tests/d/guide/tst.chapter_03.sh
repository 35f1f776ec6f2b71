# The commands of this chapter of docs/guide do what it says.
. "$(dirname "$0")/lib.bash"
chapter 03
